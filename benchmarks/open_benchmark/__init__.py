"""The labelled answers of tests/truth as an open benchmark for judges of student work."""
