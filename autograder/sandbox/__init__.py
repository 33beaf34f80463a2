"""Students' programs behind walls: a warm parent, its confined children, the wire to them, the trusted handle.

May import `answers`; the side that runs students' code knows nothing of keys or judging.
"""
