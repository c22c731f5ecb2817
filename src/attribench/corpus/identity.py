"""Whose each row is: the judgement of every author cell, made once for each distinct cell."""

from collections.abc import Mapping

import pandas as pd

from attribench.corpus import individuals, names, shifted_rows
from attribench.corpus.authors import CleanAuthor, NoIndividual, judge_author
from attribench.text import normal_form

_LONG_ENOUGH = 8
"""Letters of the shortest word that is taken for a name run together."""


def identified(corpus: pd.DataFrame, is_paper: bool) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the rows with their cell and identity, and what each distinct cell means.

    Args:
        corpus: the rows of the corpus file, with `quote`, `author`, `category`.
        is_paper: whether shifted rows are put right, turned names turned back and forms of a name merged.

    Returns:
        The rows with `quote`, `is_recovered` (put right), `cell` (a row of the second table)
        and `who` (a number for the author: one for each individual, and one for each cell that
        names none); and the distinct cells with `raw`, `name`, `alternative`, `work`,
        `written`, `kind` (missing where the cell is an individual), `author_id` and `author`.
    """
    judged = {cell: judge_author(cell) for cell in corpus["author"].unique()}
    rows = corpus.assign(is_recovered=False)
    if is_paper:
        known = frozenset(normal_form(j.name) for j in judged.values() if isinstance(j, CleanAuthor))
        judged |= _turned(judged, known)
        judged |= _parted(judged)
        sentences = {
            cell for cell, j in judged.items() if isinstance(j, NoIndividual) and j.kind == individuals.SENTENCE
        }
        right = shifted_rows.put_right(corpus[corpus["author"].isin(sentences)], known)
        rows.loc[right.index, "quote"] = right["quote"]
        rows.loc[right.index, "author"] = right["author"]
        rows.loc[right.index, "is_recovered"] = True
        judged |= {cell: judge_author(cell) for cell in right["author"].unique()}
    numbers, found = pd.factorize(rows["author"])
    cells = pd.DataFrame(
        [_cell(judged[cell]) for cell in found], columns=["name", "alternative", "work", "written", "kind"]
    )
    rows["cell"] = numbers
    is_person = cells["kind"].isna()
    uses = rows.loc[is_person.to_numpy()[numbers], "cell"]
    cells[["author_id", "author"]] = names.judged_names(cells[is_person], uses, merge=is_paper)
    cells["raw"] = found
    who = cells["author_id"].where(is_person, "cell: " + cells["raw"])
    rows["who"] = pd.Categorical(who.to_numpy()[numbers])
    rows["who"] = rows["who"].cat.codes
    return rows[["quote", "is_recovered", "cell", "who"]], cells


def _turned(judged: Mapping[str, CleanAuthor | NoIndividual], known: frozenset[str]) -> dict[str, CleanAuthor]:
    """Return what cells mean that give the surname first, where another cell has the name as it is spoken.

    ``Mitchell, Siri`` reads as a name and a work until ``Siri Mitchell`` is met;
    ``Voltaire, Candide`` stays what it is.
    """
    turned = {
        cell: judge_author(f"{j.work} {j.name}")
        for cell, j in judged.items()
        if isinstance(j, CleanAuthor)
        and j.work
        and len(j.work.split()) < 4 > len(j.name.split())
        and normal_form(f"{j.work} {j.name}") in known
    }
    return {cell: j for cell, j in turned.items() if isinstance(j, CleanAuthor)}


def _parted(judged: Mapping[str, CleanAuthor | NoIndividual]) -> dict[str, CleanAuthor]:
    """Return what cells mean that run a name together, where just one name of other cells has these letters.

    ``mayaangelou`` and ``MayaAngelou`` are Maya Angelou; ``Nagarjuna`` is not Nag Arjuna.
    """
    people = [j for j in judged.values() if isinstance(j, CleanAuthor) and " " in j.name]
    apart: dict[str, dict[str, CleanAuthor]] = {}
    for person in people:
        form = normal_form(person.name)
        apart.setdefault(form.replace(" ", ""), {}).setdefault(form, person)
    found = {}
    for cell, j in judged.items():
        word = cell.strip()
        names = apart.get(normal_form(word), {})
        is_run_together = word.isalpha() and (word[1:] != word[1:].lower() or word.islower())
        is_one_word = not isinstance(j, CleanAuthor) or " " not in j.name
        if is_run_together and is_one_word and len(word) >= _LONG_ENOUGH and len(names) == 1:
            (person,) = names.values()
            found[cell] = CleanAuthor(person.name, written=word)
    return found


def _cell(judged: CleanAuthor | NoIndividual) -> tuple[str | None, ...]:
    if isinstance(judged, NoIndividual):
        return None, None, None, None, judged.kind
    return judged.name, judged.alternative, judged.work, judged.written, None
