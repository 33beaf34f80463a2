"""Teaching kits."""
