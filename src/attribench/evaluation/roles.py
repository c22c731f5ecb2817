"""What a named person is in the sentence: a possible author, or denied, or part of the setting.

The word that governs the name decides: in "an elegy for the poet Jane Roe" it is "for", since
articles, roles and peoples between it and the name are passed over. Each word group below is one
rule of ``docs/outcomes.md``.
"""

import re
from functools import lru_cache

from attribench.evaluation.denial import BARRIERS, WORDS
from attribench.evaluation.signs import ABOUT_THE_QUOTE, IN_THE_NAME_OF, NAMES_AUTHORS, THE_AUTHOR_IS, WHICH_DID
from attribench.evaluation.words import Kind, group, kinds


def _either(name: str) -> str:
    """Return the phrases of the group `name` as alternatives of a pattern."""
    return "|".join(sorted(group(name), key=lambda phrase: (-len(phrase), phrase)))


_PASSED = group("passed_over")

_SETTING = group("setting_before")
_RELATIONS = group("relations")
_WHEN = group("when")
_PREPOSITIONS = frozenset(
    [*["by", "of", "from", "to", "with", "in", "on", "at", "for", "about", "under", "against"], *",;:()—–"]
)
_BY_NOT = group("before_by_no_author")
_BY_YES = group("before_by_author")
_OF_YES = group("before_of_author")
_TO_YES = re.compile(
    r"(?:attribut|credit|ascrib|belong|assign|trac|point|accredit|connect|link)\w*|due|back|according|relation"
)
_TO_NOT = re.compile(
    r"(?:respon|repl|answer|react|tribut|dedicat|address|sent|writ|spok|speak|refer|allu|devot|object|compar|similar|inspir|"
    r"rebut|rebuke|challeng|close|loyal|deliver|present|introduc|letter|opposit|oppos|homage|ode|toast|appeal|prior)\w*"
)
_WITH_YES = group("before_with_author")
_TITLE_NOUNS = group("work_nouns")
WORK_OF = re.compile(
    r"^['\"*_)]*\s*'s?\s+(?:[\w'-]+\s+){0,4}?(?:[*_\"]|(?:The|A|An|On)\s+[A-Z]|(?:" + _either("works_of") + r")\w*)"
)
_THE_CONTEXT_IS = re.compile(
    r"^\W*(?:the|its) (?:context|background|author)\b[^.,;]{0,40}? (?:is|was) (?:\w+ ){0,4}$", re.IGNORECASE
)
# A small model's way to say who the author is: The author of "..." refers to Jane Roe.
_THE_AUTHOR_REFERS = re.compile(
    r"^\W*the (?:author|speaker|writer)(?: of (?:\"[^\"]*\"|this quote|the quote))? refers to ", re.IGNORECASE
)
_REPLY = group("replies")
_OF_THE_TRADE = group("relations_of_the_trade")
_ASKED = frozenset({"question", "questions", "request", "invitation", "challenge", "commission", "pressure", "threats"})
_ADDED = frozenset(
    ["music", "foreword", "preface", "introduction", "illustrations", "photograph", "translation", "painting"]
)
_REUSED = frozenset(["music", "sampled", "covered", "echoed", "parodied"])
_OFTEN = frozenset(["often", "frequently", "sometimes", "later", "famously", "widely", "also"])
_NAMED = frozenset({"named", "called"})
_INVENTED = frozenset(["character", "protagonist", "narrator", "hero", "heroine", "villain", "antagonist", "creature"])

AUTHORING = re.compile(
    r"""^["'*_)\]]*(?:\s*,[^,.;]{1,50},|\s*\([^)]{1,40}\))?,?\s+
    (?:(?:who|once|famously|first|then|actually|often|also|later|has|had)\s+|is\s+(?:the\s+|known|believed|said|likely)
      |was\s+(?:the\s+|an?\s+|reflecting|speaking|writing))*
    (?:the\b|"""
    + _either("authoring").replace(" ", r"\s+")
    + ")",
    re.VERBOSE | re.IGNORECASE,
)
# Critics and the like: "Jane Roe condemned the remark".
_ON_IT = re.compile(
    r"""^["'*_)\]]*\s+(?:(?:later|once|also|publicly|famously|often)\s+)*
    (?:critici[sz]ed|condemned|denounced|praised|mocked|banned|censored|quoted|quotes|cited|misquoted|translated|popularized
      |popularised|paraphrased|attacked|objected\s+to|responded\s+to|replied\s+to|edited|illustrated)
    \s+(?:the|this|these|that|it|him|her|them|his|their)\b""",
    re.VERBOSE | re.IGNORECASE,
)
ORGANISED = re.compile(
    r"\b(?:band|rock group|pop group|girl group|boy band|duo|trio|quartet|orchestra|company|website|web site|blog"
    r"|newspaper|magazine|brand|team|label|app|channel)(?: called| named| known as)?,? $",
    re.IGNORECASE,
)
"""What stands before the name of a band or a firm."""
# What belongs to a person in office or in the news, not to an author.
_SETTING_AFTER = re.compile(
    r"^[\"'*_)\]]*\s*(?:'s\s+(?:\w+\s+){0,2}?(?:"
    + _either("setting_after")
    + r")\b|-(?:era|led|esque)\b|\s+(?:"
    + _either("setting_after_bare")
    + r")\b)",
    re.IGNORECASE,
)
# Jane Roe's biography of somebody: she wrote it.
_STUDY_OF = re.compile(
    r"^[\"'*_)\]]*'s?\s+(?:[a-z]+\s+){0,2}(?:biography|life|portrait|study|profile)\s+of\s+[\"'*_]*[A-Z]"
)
# What a person does who makes the news; the true author may be said to do so too.
_IN_THE_NEWS = re.compile(
    r"""^["'*_)\]]*\s*(?:
        (?:\s*,[^,]{1,40},)?\s*(?:was|were|is|had\s+been|became|took|ruled|held|came|seized|resigned|reigned|fell|died
          |governed|declared\s+war|led)\b
        (?:\s+(?:in\s+power|president|prime|king|queen|emperor|killed|assassinated|murdered|elected|arrested|executed
          |imprisoned|shot|over|office|power|to\s+power)\b
        |(?=\s*$))
      | \s+(?:was|were)\s+(?:then|still|already|now|in|on|at|away|viceroy|governor|mayor|chancellor|minister|dictator
          |sultan|tsar|shah|pope|leader)\b
    )""",
    re.VERBOSE | re.IGNORECASE,
)


@lru_cache(maxsize=1024)
def _last_words(before: str) -> list[str]:
    return WORDS.findall(before.lower())


def governing(before: str) -> tuple[list[str], int]:
    """Return the last words of `before`, in lower case, and the index of the one that governs what follows."""
    found = _last_words(before[-110:])
    i = len(found) - 1
    while i >= 0 and (
        found[i] in _PASSED
        or _joins_roles(found, i)
        or (kinds(found[i].replace("'", "")) & (Kind.ROLE | Kind.PEOPLE | Kind.HONORIFIC) and found[i] not in _STOPS)
    ):
        i -= 1
    return found, i


def _joins_roles(found: list[str], i: int) -> bool:
    """Tell whether the word is "and" or a comma between two roles of one person, or a trade among them."""
    if found[i] in ("and", ","):
        return 0 < i < len(found) - 1 and _is_role(found[i - 1]) and _is_role(found[i + 1])
    if found[i] not in _OF_THE_TRADE:
        return False
    after = found[i + 1 : i + 3]
    return (i > 1 and found[i - 1] == "and" and _is_role(found[i - 2])) or (
        after[:1] == [","] and len(after) > 1 and _is_role(after[1])
    )


def _is_role(word: str) -> bool:
    return bool(kinds(word) & Kind.ROLE)


_STOPS = _TITLE_NOUNS | _RELATIONS | {"by", "book", "title", "name", "work", "source", "last", "general", "u", "i"}


def setting(before: str, after: str, is_author: bool) -> bool:
    """Tell whether the person is setting, subject, addressee, translator and the like, not a source."""
    if _STUDY_OF.match(after):
        return False
    if _SETTING_AFTER.match(after) or (not is_author and (_IN_THE_NEWS.match(after) or _ON_IT.match(after))):
        return True
    if _nation(after):
        return True
    found, i = governing(before)
    if i < 0:
        return False
    if found[i] in _RELATIONS - _OF_THE_TRADE and "by" in found[max(0, i - 2) : i]:
        i = max(n for n in range(i) if found[n] == "by")  # by her friend Jane Roe
    word = found[i]
    near = found[max(0, i - 6) : i]
    if word == "," and i > 1 and found[i - 1] in _RELATIONS:
        owned = found[i - 2] in ("his", "her", "its", "their", "the") or found[i - 2].endswith("'s")
        if owned:
            return after.startswith(",") or found[i - 3 : i - 2] in (["with"], ["about"], ["for"], ["to"])
    if word in ("for", "to") and i == 0 and after.startswith(","):
        return False  # For Jane Roe, ...
    if word == "in" and near[-1:] and near[-1] in _REUSED:
        return True  # later set to music in Jane Roe's "Ode"
    if WORK_OF.match(after) and (word in ("of", "in", "from") or (word == "to" and not _REPLY & set(near))):
        return False
    if is_author and word in ("of", "about") and _THE_CONTEXT_IS.search(before):
        return False
    if word in ("in", "from") and re.match(r"['\"*_)]*\s*'", after):
        return False  # in Ama's Homecoming
    if word == "about" and ABOUT_THE_QUOTE.search(before):
        return False
    if word == "under" and IN_THE_NAME_OF.match(after):
        return False  # listed under Jane Roe's name
    if word == "which" and not is_author and not _PREPOSITIONS & set(near[-1:]) - {","}:
        return bool(WHICH_DID.match(after)) and not AUTHORING.match(after)
    if word == "including" and not is_author:
        return not NAMES_AUTHORS.search(before) and not AUTHORING.match(after)
    if word == "than" and near[-1:] == ["other"]:
        return False  # none other than Jane Roe
    if word in ("am", "i'm"):
        return True
    if word == "as" and near[-1:] == ["such"] and THE_AUTHOR_IS.search(before):
        return False  # The author is likely a poet, such as Jane Roe
    if word in _WHEN or (word not in _PREPOSITIONS and len(found) > 1 and found[i - 1] in _WHEN):
        return not is_author and not AUTHORING.match(after)
    if word == "by":
        if near[-1:] in (["is"], ["was"], ["are"]) and near[-2:-1] and near[-2] in _BY_NOT | _ADDED:
            return True  # the English version is by Jane Roe
        if near[-1:] in (["quoted"], ["cited"]) and near[-2:-1] and near[-2] in _OFTEN:
            return True  # a proverb, often quoted by Jane Roe
        for n, w in enumerate(reversed(near), start=1):
            if w in _BY_NOT:
                return near[-n - 1 : -n] != ["as"]
            if w in _BY_YES or (w in BARRIERS and w != "-"):
                return False
        return False
    if word == "of":
        return not any(w in _OF_YES for w in near[-2:]) and not (near and near[-1] == ",")
    if word == "to":
        if found[i + 1 : i + 2] in (["quote"], ["paraphrase"], ["cite"]):
            return False
        if near[-1:] == ["refers"] and _THE_AUTHOR_REFERS.match(before):
            return False
        for w in reversed(near):
            if _TO_YES.fullmatch(w):
                return False
            if _TO_NOT.fullmatch(w):
                return True
        return True
    if word == "from":
        return bool(_ASKED & set(near[-1:]))
    if word == "like" and {"sounds", "sound", "something", "seems", "looks"} & set(near[-2:]):
        return False
    if word == "between" and _WITH_YES & set(near[-3:]):
        return False
    if word == "with":
        return not _WITH_YES & set(near[-3:])
    if word in _NAMED:
        if THE_AUTHOR_IS.search(before) and not _INVENTED & set(near[-3:]):
            return False
        folk = any(w.endswith(("man", "person", "child", "teenager", "wife")) for w in near[-2:])
        presented = {"by", "author", "speaker", "writer", "poet", "source"} & set(found)
        return (folk and not presented and not AUTHORING.match(after)) or any(
            w in _RELATIONS or kinds(w) == Kind.GIVEN or w.endswith(("boy", "girl", "creature", "dog", "cat"))
            for w in near[-2:]
        )
    if word in _RELATIONS - _INVENTED and THE_AUTHOR_IS.search(before):
        return False
    if word in _RELATIONS or word in _SETTING:
        return not (is_author and AUTHORING.match(after))
    return False


_POSSESSED = re.compile(r"['\"*_)]*'s?\s+([A-Z]\w+)(?:\s+([A-Z]\w+))?")


def _nation(after: str) -> bool:
    """Tell whether a country or people is called the person's: Stalin's Soviet Union."""
    match = _POSSESSED.match(after)
    if not match:
        return False
    first, second = match.group(1).lower(), (match.group(2) or "").lower()
    return bool((kinds(first) | kinds(f"{first} {second}")) & Kind.PLACE)


def title(before: str, after: str) -> bool:
    """Tell whether the capitalised words are the title of a work named just before."""
    found = WORDS.findall(before[-40:].lower())
    return bool(found) and found[-1] in _TITLE_NOUNS and not AUTHORING.match(after)
