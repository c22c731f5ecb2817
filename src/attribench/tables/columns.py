"""The columns that several tables share, so that they mean the same in each."""

from attribench.tables import TEXT, Column


def quote_id() -> Column:
    """Return the column that identifies a quote."""
    return Column("quote_id", TEXT, "jstet_ and the 0-based data row of the corpus file")


def author_id() -> Column:
    """Return the column that identifies an author."""
    return Column("author_id", TEXT, "slug of the normal form of the author's name")


def author() -> Column:
    """Return the column with the name of an author."""
    return Column("author", TEXT, "the author's name as shown: its commonest spelling")
