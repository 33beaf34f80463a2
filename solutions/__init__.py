"""The sources of the exercises, one folder per topic."""
