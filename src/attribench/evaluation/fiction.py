"""Whether a person is one of a plot: "the hero, Jane Roe", "In the novel, Jane tells her sister this"."""

import re

from attribench.evaluation.authoring import AUTHORING
from attribench.evaluation.signs import CALLED
from attribench.evaluation.words import Kind, alternatives, kinds
from attribench.text import fold

_FICTION = re.compile(
    r"\b(?:novels?|films?|movies?|plays?|musical|sitcom|anime|episode|(?:tv|television) series|story|drama|scene)\b",
    re.IGNORECASE,
)
_CHARACTERS = re.compile(r"\b(?:characters?|protagonist|narrator|hero|heroine)\b", re.IGNORECASE)
# In a plot people speak to each other, in the present: "Okoro says this to his daughter".
_TO_ANOTHER = re.compile(
    r"\s+(?:says|tells|speaks|writes|whispers|explains|asks|reads)\s+(?:(?:this|it|so|these\s+words|the\s+words)\s+)?(?:to\s+)?"
    r"(?:(?:his|her|their)\s+(?:\w+\s+)?[\w-]+|(?:(?:the\s+)?(?:young|old|little)\s+)?(?:[A-Z][^\W\d_]+\s*)+(?:\s+(?:this|that)\b|\s*[.,]))"
)
_IN_A_PLOT = re.compile(
    r"\b[Ii]n (?:(?:the|this) (?:(?:opening|first|last|final|closing|famous) )?"
    r"(?:novel|book|film|movie|play|story|drama|series|episode|musical|chapter|act|scene)"
    r"|(?:chapter|act|scene|book) \w+),? $"
)
_PLAYED = re.compile(r",?\s+(?:as\s+)?(?:played|portrayed|voiced)\s+by\b")
# Jane, the young narrator, describes it.
_IS_A_CHARACTER = re.compile(
    r",?\s+(?:(?:is|was|as)\s+)?(?:the|an?|his|her|its|their)\s+(?:(?!author|writer|poet|novelist)[\w'-]+\s+){0,3}?"
    r"(?:narrator|protagonist|heroine|hero|character|antagonist|villain|love interest|sidekick)\b"
)
# In a plot a person goes by the given name, and in the present.
_IN_THE_PRESENT = re.compile(r"\s+(?:\w+ly\s+)?(?:" + alternatives("says_in_a_plot") + r")\b")
# What nobody does to give an opinion: Jane Roe, a maid, overhears the quarrel.
_LIVES_IT = re.compile(
    r"(?:,\s+(?:an?|the|his|her)\s[^,.;]{1,30},)?\s+(?:\w+ly\s+)?(?:" + alternatives("happens_in_a_plot") + r")\b"
)
_IN_THE_FILM = re.compile(
    r"\b[Ii]n (?:the|this|its) (?:\w+ )?(?:film|movie|series|show|musical|adaptation)\b[^.;]*"
    r"\b(?:delivered|spoken|said|uttered|sung|recited) by (?:\w+ ){0,3}$"
)
_STORY_OF = re.compile(
    r"\b(?:tells?|follows?|recounts?|traces|charts|chronicles)\b[^.;]*"
    r"\b(?:story|tale|life|fortunes|adventures) of (?:\w+ ){0,3}$"
)


def in_fiction(before: str) -> bool:
    """Tell whether the sentence speaks of a novel, a film and the like, or of a character."""
    return bool(_FICTION.search(before) or _CHARACTERS.search(before))


def fictional(before: str, after: str, name: str) -> bool:
    """Tell whether the person `name` between `before` and `after`, not the true author, belongs to a plot."""
    in_a_plot = _IN_A_PLOT.search(before[-40:])
    if _PLAYED.match(after) or _IS_A_CHARACTER.match(after):
        return True
    if in_a_plot and re.match(r"\s+is\s+(?:an?|the)\s", after):
        return True
    if _TO_ANOTHER.match(after) and (not before.strip() or in_a_plot):
        return True
    if _IN_THE_FILM.search(before) or _STORY_OF.search(before[-100:]):
        return True
    if re.search(r"\b(?:narrated|told) by $", before[-14:]) and re.match(r", an?\s", after):
        return True
    if re.search(r"\b[Ss]tory of $", before[-12:]) and re.match(r", (?:an?|the)\s", after):
        return True
    if in_a_plot and _LIVES_IT.match(after):
        return True
    kind = kinds(fold(name))
    goes_by_it = kind & Kind.GIVEN and not kind & Kind.SINGLE and (in_a_plot or not kind & Kind.FAMILY)
    if goes_by_it and _IN_THE_PRESENT.match(after):
        return True
    spoken = AUTHORING.match(after) and not (kind & Kind.GIVEN and re.match(r"\s*(?:tell|told|say|ask|answer)", after))
    called = CALLED.search(before[-200:]) or spoken or re.match(r"\s*'s?\b", after)
    return not called and bool(
        _CHARACTERS.search(before[-60:])
        or (_FICTION.search(before) and re.search(r"\b(?:where|in which|when)\b", before))
    )
