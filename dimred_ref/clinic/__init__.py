"""The data clinic: read a table, reduce it with every method of the book, and check the contracts of the methods.

    from dimred_ref.clinic.table import read_table
    from dimred_ref.clinic.preparation import Choices, prepare

    table = read_table(Path("penguins.csv").read_bytes())
    prepared = prepare(table, Choices(scaling="standardise"))

`session.answer` runs one step and returns plain data: the page `book/clinic.md` shows these. Modules, in the order in
which data flow: text, dialect, numbers, table, preparation, linear, maps, distances, stability, evidence, contracts,
paragraph, script, session.
"""
