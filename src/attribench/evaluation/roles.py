"""What a named person is in the sentence: a possible author, or denied, or part of the setting.

The word that governs the name decides: in "an elegy for the poet Jane Roe" it is "for", since
articles, roles and peoples between it and the name are passed over. Each word group below is one
rule of ``docs/outcomes.md``.
"""

import re
from functools import lru_cache

from attribench.evaluation.authoring import AUTHORING, WORK_OF
from attribench.evaluation.by import done_by
from attribench.evaluation.bystanders import bystander
from attribench.evaluation.denial import WORDS
from attribench.evaluation.governing import OF_THE_TRADE, PREPOSITIONS, RELATIONS, TITLE_NOUNS, governing
from attribench.evaluation.objects import is_object
from attribench.evaluation.signs import ABOUT_THE_QUOTE, IN_THE_NAME_OF, NAMES_AUTHORS, THE_AUTHOR_IS, WHICH_DID
from attribench.evaluation.words import Kind, group, kinds

_SETTING = group("setting_before")
_WHEN = group("when")
_OF_YES = group("before_of_author")
_TO_YES = re.compile(
    r"(?:attribut|credit|ascrib|belong|assign|trac|point|accredit|connect|link|ow)\w*|thanks|due|back|according|relation"
)
_TO_NOT = re.compile(
    r"(?:respon|repl|answer|react|tribut|dedicat|address|sent|writ|spok|speak|refer|allu|devot|object|compar|similar|inspir|"
    r"rebut|rebuke|challeng|close|loyal|deliver|present|introduc|letter|opposit|oppos|homage|ode|toast|appeal|prior)\w*"
)
_WITH_YES = group("before_with_author")
_THE_CONTEXT_IS = re.compile(
    r"^\W*(?:the|its) (?:context|background|author)\b[^.,;]{0,40}? (?:is|was) (?:\w+ ){0,4}$", re.IGNORECASE
)
# A small model's way to say who the author is: The author of "..." refers to Jane Roe.
_THE_AUTHOR_REFERS = re.compile(
    r"^\W*the (?:author|speaker|writer)(?: of (?:\"[^\"]*\"|this quote|the quote))? refers to ", re.IGNORECASE
)
_REPLY = group("replies")
_ASKED = group("before_from_no_author")
_UNDECIDED = frozenset(
    ["hesitate", "hesitating", "torn", "toss-up", "choice", "choose", "undecided", "decide", "split", "divided"]
)
_ALSO_TO = re.compile(
    r"\b(?:attribut|credit|ascrib)\w*\b[^.;]*\bto\b[^.;]*\b(?:and|or|but|sometimes|often)\b[^.;]{0,25}$",
    re.IGNORECASE,
)
_FOR_THE = re.compile(
    r"\b(?:for|about|against|mourns?|honou?rs?|praises?|attacks?) (?:the|an?|his|her) [^,.;]{1,60}, $"
)
# I'd go with Jane Roe; my money is on Jane Roe; listed under Jane Roe; nobody says it better than Jane Roe
_FAVOURED = re.compile(
    r"\b(?:(?:go|going|went) with|(?:money|bets?)(?: is| are)? on"
    r"|(?:list|fil|catalogu|index|appear)\w* (?:it |this )?under"
    r"|(?:[Nn]obody|[Nn]o one)\b[^.;]* better than) (?:the )?$"
)
_ABOUT = frozenset(["with", "about", "for", "to", "on", "upon", "against"])
_REUSED = frozenset(["music", "sampled", "covered", "echoed", "parodied"])
_NAMED = frozenset({"named", "called"})
_INSPIRED = frozenset(
    [
        "inspired",
        "influenced",
        "prompted",
        "provoked",
        "indebted",
        "engages",
        "engaging",
        "among",
        "prefaced",
        "preceded",
        "introduced",
    ]
)
# Translator: Jane Roe
_LABEL = re.compile(
    r"\b(?:translat|edit|illustrat|interview|direct|perform|publish)(?:or|er|ed by|ions?|ing)\s*:\s*[*_]*$"
    r"|\b(?:subject|recipient|dedicatee|character|cast|starring|foreword|preface|addressee|narrator|protagonist)\s*:\s*[*_]*$",
    re.IGNORECASE,
)
_MAY_BE = re.compile(
    r",?\s*(?:(?:who\s+)?(?:may|might|could|must|is\s+likely\s+to)\s+(?:well\s+|also\s+)?be\s+|,\s+)(?:the|its)\s+"
    r"(?:author|source|speaker|writer|origin)\b"
)
# in a narrative that Jane Roe used in Parliament
_RELATIVE = re.compile(
    r"\b(?:[Aa]n?|[Tt]he|[Tt]his) (?:[\w-]+ )?"
    r"(?!fact|view|idea|belief|claim|theory|possibility|chance|opinion)[\w-]+ that $"
)
_OTHERS_USE = re.compile(r"(?: and (?:others|[A-Z][\w. ]+))? (?:used?|quotes?d?) ")
_WHO_WROTE = re.compile(r",\s+who\s+(?:first\s+|also\s+|actually\s+)?(?:wrote|said|coined|penned)\b")
_OWNS_A_THING = re.compile(r"['\"*_)]*'s?\s+[a-z]")
_INVENTED = frozenset(["character", "protagonist", "narrator", "hero", "heroine", "villain", "antagonist", "creature"])

ORGANISED = re.compile(
    r"\b(?:band|rock group|pop group|girl group|boy band|duo|trio|quartet|orchestra|company|website|web site|blog"
    r"|newspaper|magazine|brand|team|label|app|channel)(?: called| named| known as)? $",
    re.IGNORECASE,
)
"""What stands before the name of a band or a firm."""


@lru_cache(maxsize=65536)  # models say who wrote a line in the same words again and again
def setting(before: str, after: str, is_author: bool) -> bool:
    """Tell whether the person is setting, subject, addressee, translator and the like, not a source."""
    if _MAY_BE.match(after):
        return False
    if not is_author and _LABEL.search(before[-40:]):
        return True
    beside = bystander(after, is_author)
    if beside is not None:
        return beside
    found, i = governing(before)
    if i < 0:
        return False
    if found[i] in RELATIONS - OF_THE_TRADE and "by" in found[max(0, i - 2) : i]:
        i = max(n for n in range(i) if found[n] == "by")  # by her friend Jane Roe
    word = found[i]
    near = found[max(0, i - 6) : i]
    if word == "," and i > 1 and found[i - 1] in RELATIONS:
        owner = i - 3 if found[i - 2] in ("late", "dead", "beloved", "young", "old") and i > 2 else i - 2
        if found[owner] in ("his", "her", "its", "their", "the") or found[owner].endswith("'s"):
            lead = found[max(0, owner - 1) : owner]
            return after.startswith(",") or bool(lead and (lead[0] in _ABOUT or (lead == ["and"] and "by" not in near)))
    if word == "," and not is_author and re.match(r"\W*$", after) and _FOR_THE.search(before):
        return True  # It grieves for the captain, Jane Roe.
    if word in ("for", "to") and i == 0 and after.startswith(","):
        return False  # For Jane Roe, ...
    if word == "in" and {"read", "reading", "find", "found", "seen", "encountered"} & set(near[-3:]):
        return False
    if word == "in" and near[-1:] and near[-1] in _REUSED:
        return True  # later set to music in Jane Roe's "Ode"
    if WORK_OF.match(after) and (word in ("of", "in", "from") or (word == "to" and not _REPLY & set(near))):
        return False
    if is_author and word in ("of", "about") and _THE_CONTEXT_IS.search(before):
        return False
    if word in ("in", "from") and re.match(r"['\"*_)]*\s*'", after):
        return word == "in" and not is_author and bool(_OWNS_A_THING.match(after))  # not: in Ama's Homecoming
    if word == "about" and ABOUT_THE_QUOTE.search(before):
        return False
    if word in ("by", "of") and _WHO_WROTE.match(after):
        return False
    if word == "under" and IN_THE_NAME_OF.match(after):
        return False  # listed under Jane Roe's name
    if (
        not is_author
        and _RELATIVE.search(before[-60:])
        and not (AUTHORING.match(after) and not _OTHERS_USE.match(after))
    ):
        return True
    if word == "which" and not is_author and not PREPOSITIONS & set(near[-1:]) - {","}:
        return bool(WHICH_DID.match(after)) and not AUTHORING.match(after)
    if word == "including" and not is_author:
        return not NAMES_AUTHORS.search(before) and not AUTHORING.match(after)
    if _FAVOURED.search(before):
        return False
    if word == "than" and near[-1:] == ["other"]:
        return False  # none other than Jane Roe
    if word in ("am", "i'm"):
        return True
    if word == "as" and near[-1:] == ["such"] and THE_AUTHOR_IS.search(before):
        return False  # The author is likely a poet, such as Jane Roe
    if word in _WHEN or (word not in PREPOSITIONS and len(found) > 1 and found[i - 1] in _WHEN):
        return not is_author and not AUTHORING.match(after)
    if word == "by":
        return done_by(near, is_author)
    if not is_author and (is_object(found, i, after) or (word in ("of", "with") and _INSPIRED & set(near))):
        return True
    if word == "of" and re.match(r"'s?\s*(?:[.,;!?)]|$)", after):
        return near[-1:] != [] and near[-1] in RELATIONS  # a joke of Jane Roe's
    if word in ("toward", "towards") and any(w.startswith(("lean", "point", "inclin", "incline")) for w in near):
        return False
    if word == "of":
        if is_author and "life" in near[-2:] and "narrative" in near:
            return False  # Narrative of the Life of Jane Roe
        return not any(w in _OF_YES for w in near[-2:]) and not (near and near[-1] == ",")
    if word == "to":
        if {"owes", "owe", "owed"} & set(near) and {"something", "much", "debt", "lot"} & set(near):
            return True
        if _ALSO_TO.search(before) or after.startswith(" that we owe"):
            return False
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
    if word == "like" and {
        "sounds",
        "sound",
        "something",
        "seems",
        "looks",
        "reads",
        "read",
        "feels",
        "more",
        "writes",
    } & set(near[-2:]):
        return False
    if word == "between" and (_WITH_YES | _UNDECIDED) & set(near[-3:]):
        return False
    if word == "with":
        return not _WITH_YES & set(near[-3:])
    if word in _NAMED:
        if THE_AUTHOR_IS.search(before) and not _INVENTED & set(near[-3:]):
            return False
        folk = any(w.endswith(("man", "person", "child", "teenager", "wife")) for w in near[-2:])
        presented = {"by", "author", "speaker", "writer", "poet", "source"} & set(found)
        return (folk and not presented and not AUTHORING.match(after)) or any(
            w in RELATIONS or kinds(w) == Kind.GIVEN or w.endswith(("boy", "girl", "creature", "dog", "cat"))
            for w in near[-2:]
        )
    if word in RELATIONS - _INVENTED and THE_AUTHOR_IS.search(before):
        return False
    if word in RELATIONS or word in _SETTING:
        return not (is_author and AUTHORING.match(after))
    return False


def title(before: str, after: str) -> bool:
    """Tell whether the capitalised words are the title of a work named just before."""
    found = WORDS.findall(before[-40:].lower())
    return bool(found) and found[-1] in TITLE_NOUNS and not AUTHORING.match(after)
