"""Shares of the points that a slip keeps which happens in several topics: the same slip earns the same everywhere."""

UNIT_LENGTH = 0.5  # eigenvectors left at length one: every direction is right, no length
FACTOR_OF_TWO = 0.5  # everything twice or half as large as it should be: one factor of a formula is lost
TRANSPOSED = 0.5  # every number is right, and rows and columns have changed places
