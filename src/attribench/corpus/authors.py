"""What the author cell of a corpus row means: one individual, under which name, and which work.

The cells of the public corpus read ``Name``, ``Name, Title of the Work`` (47 % of them), and
many rarer things. `judge_author` says which; `clean_author` is its short form.
"""

import re
import unicodedata
from dataclasses import dataclass, replace
from functools import lru_cache

from attribench.corpus import individuals
from attribench.corpus.name_format import DEGREE, SUFFIX, format_name, tidy, without_reverence
from attribench.corpus.roles import leading_person, split_role
from attribench.corpus.sentences import is_sentence
from attribench.corpus.turned_names import is_rank, is_turned
from attribench.corpus.word_lists import folded, words
from attribench.text import normal_form


@dataclass(frozen=True)
class CleanAuthor:
    """One individual: the `name` in the one format, and what else the cell told.

    `alternative` is a second name (``X aka Y``), `work` the work named beside the author,
    `written` the name as the cell spells it.
    """

    name: str
    alternative: str | None = None
    work: str | None = None
    written: str = ""


@dataclass(frozen=True)
class NoIndividual:
    """A cell that is not one individual, and the `kind` of thing that it is (see `individuals`)."""

    kind: str


_AKA = re.compile(
    r"[\s(\[]+(?:aka|a\.k\.a\.?|a\.k\.a|a/k/a|also known as|better known as|pseudonym of|pen name of|né|née)[\s:]+",
    re.I,
)
_PARENTHESIS = re.compile(r"\s*[(\[]([^)\]]*)[)\]]?\s*")
_HANDLE = re.compile(r"^(@[\w.]+)\s*[,(\s]\s*(.+?)\)?$")
_CHARACTER = re.compile(r"(?:(?:a|the|fictional)\s+)*character\s+(?:in|from|of|on)\b", re.I)
_NOT_A_NAME = re.compile(r"\b(?:author|ed\.|editor|trans|attributed|character|writer|poet|band|\d)", re.I)


# [author:Ann Petry|12345], as one site links authors and books.
_MARKUP = re.compile(r"\[(?:author|book):([^|\]]+)\|\d+\]")
_ADDRESS = re.compile(r"\s+[(\[]?\s*(?:https?://|www\.)\S+")
_SMILEY = re.compile(r"\s+[:;=]['’]?-?[()DPpOo3*/\\]+\s*$")


def clean_author(raw: str) -> CleanAuthor | None:
    """Return the individual whom the cell `raw` names, or None where it is not one individual."""
    judged = judge_author(raw)
    return judged if isinstance(judged, CleanAuthor) else None


def judge_author(raw: str) -> CleanAuthor | NoIndividual:
    """Return the individual whom the cell `raw` names, or which other thing it is."""
    text = _ADDRESS.sub(" ", _MARKUP.sub(r"\1", unicodedata.normalize("NFC", " ".join(raw.split()))))
    text = _SMILEY.sub("", text if folded(text) else raw).strip()
    if not folded(text):
        return NoIndividual(individuals.EMPTY)
    handle = _HANDLE.match(text)
    if handle and _looks_like_name(handle.group(2)):
        return CleanAuthor(format_name(handle.group(2)), handle.group(1), None, tidy(handle.group(2)))
    head, work = _split_at_comma(text.strip(" ,"))
    if work and _CHARACTER.match(work):
        return NoIndividual(individuals.CHARACTER)
    judged = _judge_head(head, work is not None)
    return replace(judged, work=work) if work and isinstance(judged, CleanAuthor) else judged


@lru_cache(maxsize=1 << 17)
def _judge_head(head: str, has_work: bool) -> CleanAuthor | NoIndividual:
    """Return what the name part of a cell means; one author's works share it, so it is remembered."""
    if head.islower() and " " not in head and folded(head) in words("lower_case_names"):
        return CleanAuthor(head, None, None, head)
    if individuals.is_disputed(head):
        return NoIndividual(individuals.DISPUTED)
    if individuals.is_featuring(head):
        return NoIndividual(individuals.SEVERAL)
    if individuals.is_film(head):
        return NoIndividual(individuals.ORGANISATION)
    if head.lower().count("(author)") > 1:
        return NoIndividual(individuals.SEVERAL)
    head = without_reverence(head)
    if is_sentence(_AKA.split(head, maxsplit=1)[0]) and (head[:1].islower() or not split_role(head)):
        person = leading_person(head)
        return _individual(person, has_work) if person else NoIndividual(individuals.SENTENCE)
    if not has_work and individuals.is_somebody_near(head):
        return NoIndividual(individuals.NOBODY)
    return _individual(head, has_work)


def _individual(head: str, has_work: bool) -> CleanAuthor | NoIndividual:
    written = tidy(head)
    alternative: str | None = None
    work: str | None = None
    if aka := _AKA.search(head):
        written, alternative = tidy(head[: aka.start()]), tidy(head[aka.end() :].strip("()[] "))
    elif inside := _PARENTHESIS.search(head):
        note = tidy(inside.group(1))
        written = tidy(head[: inside.start()] + " " + head[inside.end() :])
        if not written:
            written = note
        elif (
            note
            and len(note) > 1
            and not (note.isupper() and len(note) < 7)
            and not _NOT_A_NAME.search(note)
            and not is_sentence(note)
        ):
            alternative, work = (None, note) if individuals.reads_as_title(note) else (note, None)
    if role := split_role(written):
        written, work = role.person, role.work
    name = format_name(written)
    kind = individuals.not_an_individual(name, has_work=has_work or work is not None) if name else individuals.EMPTY
    if kind == individuals.HANDLE and (person := leading_person(written)):
        return _individual(person, has_work)  # John Dewey Speech 1917
    if kind:
        return NoIndividual(kind)
    if alternative is not None:
        alternative = format_name(alternative) or None
        if alternative and normal_form(alternative) == normal_form(name):
            alternative = None
    return CleanAuthor(name, alternative, work, written)


def _split_at_comma(text: str) -> tuple[str, str | None]:
    """Return the name part and the work; a comma that belongs to the name does not part them."""
    head, *rest = text.split(",")
    head = head.strip()
    while rest and (part := rest[0].strip(" .")) is not None:
        if SUFFIX.fullmatch(part):
            head = f"{head} {rest.pop(0).strip()}"
        elif DEGREE.fullmatch(part) and not part.islower():
            rest.pop(0)
        else:
            break
    work = " ".join(",".join(rest).split()) or None
    if work and is_rank(tidy(head), work):
        return f"{head}, {work}", None
    if rest and is_turned(tidy(head), first := " ".join(rest[0].split()), has_work=len(rest) > 1):
        return f"{first} {head}", " ".join(",".join(rest[1:]).split()) or None
    return head, work


def _looks_like_name(text: str) -> bool:
    return text[:1].isalpha() and not is_sentence(text) and "@" not in text
