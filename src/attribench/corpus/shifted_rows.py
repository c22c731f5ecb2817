"""Shifted rows: the rest of the quote stands in the author cell, the author in the category.

The public corpus was split at semicolons, also at those of some quotes. Such a row reads
``I can give or take elephants | I never can find the cheetah | Jodi Picoult, My Sister's Keeper``.
"""

import pandas as pd

from attribench.corpus import individuals
from attribench.corpus.authors import CleanAuthor, NoIndividual
from attribench.text import normal_form


def recovered(
    corpus: pd.DataFrame, judged: pd.Series, known: frozenset[str], judge: dict[str, CleanAuthor | NoIndividual]
) -> pd.DataFrame:
    """Return the shifted rows whose author is certain, put right (`quote`, `author`).

    A row is shifted where its author cell is a sentence. Its author is certain where the
    category names an individual of two words or more who is also the author of rows that are
    not shifted.

    Args:
        corpus: the rows, with `quote`, `author`, `category`.
        judged: the judgement of each row's author cell.
        known: normal forms of the authors of all rows that are not shifted.
        judge: the judgement of each distinct category cell of such a row.
    """
    is_sentence = [isinstance(j, NoIndividual) and j.kind == individuals.SENTENCE for j in judged]
    shifted = corpus[is_sentence]
    found = [judge[category] for category in shifted["category"]]
    certain = [isinstance(j, CleanAuthor) and " " in j.name and normal_form(j.name) in known for j in found]
    rows = shifted[certain]
    whole = rows["quote"].str.rstrip().str.rstrip(";") + "; " + rows["author"].str.strip()
    return pd.DataFrame({"quote": whole, "author": rows["category"]}, index=rows.index)
