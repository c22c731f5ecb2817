"""What follows the name of a person who is in office, in the news, a critic or in the work, and no author of it."""

import re

from attribench.evaluation.authoring import AUTHORING
from attribench.evaluation.words import Kind, alternatives, group, kinds

# Critics and the like: "Jane Roe condemned the remark".
_ON_IT = re.compile(
    r"""^["'*_)\]]*\s+(?:(?:later|once|also|publicly|famously|often)\s+)*
    (?:critici[sz]ed|condemned|denounced|praised|mocked|banned|censored|quoted|quotes|cited|misquoted|translated|popularized
      |popularised|paraphrased|attacked|objected\s+to|responded\s+to|replied\s+to|edited|illustrated)
    \s+(?:the|this|these|that|it|him|her|them|his|their)\b""",
    re.VERBOSE | re.IGNORECASE,
)
# What is done to the words by others than their author: Jane Roe set the poem to music, Jane Roe kept it on her desk.
_HANDLES_IT = re.compile(
    r"""(?:,\s[^,.;]{1,50},)?\s+(?:(?:\w+ly|later|once|also|often|then|even|has|had|have)\s+)*
    (?P<verb>\w+ed|kept|set|cut|had|took|read|chose|found|saw|heard|bought|sent|hung)
    \s+(?:it|them|(?:the|this|that|these|those)\s+(?:\w+\s+)?(?:HANDLED))\b
    (?!\s+(?:this|like|so|best|that)\b)""".replace("HANDLED", alternatives("works_handled")),
    re.VERBOSE,
)
# What is done to a person in the work: Jane Roe is mocked here.
_DONE_TO = re.compile(
    r"""(?:,\s[^,.;]{1,50},)?\s+(?:is|was|are|were|gets|has\s+been|had\s+been)\s+(?:\w+ly\s+|here\s+|also\s+)?
    (?:DONE_TO)\b
    |(?:,\s[^,.;]{1,50},)?\s+(?:appears|figures|features|turns\s+up|shows\s+up)\s+(?:in|as|here)\b
        (?!\s+the\s+(?:search|results|retrieved|list|examples))""".replace("DONE_TO", alternatives("done_to")),
    re.VERBOSE,
)
# What belongs to a person in office or in the news, not to an author.
_SETTING_AFTER = re.compile(
    r"^[\"'*_)\]]*\s*(?:'s\s+(?:(?!(?:of|on|about|for|in|to|from|with|and|that|is|was)\b)\w+\s+){0,2}?(?:"
    + alternatives("setting_after")
    + r")\b(?!\s+(?:"
    + alternatives("works_of")
    + r"))|-(?:era|led|esque|style|like|inspired|backed|ian|type)\b|\s+(?:"
    + alternatives("setting_after_bare")
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
      | ,\s+(?:then|now)\s+(?:the\s+)?
          (?:prime|president|king|queen|governor|mayor|minister|chancellor|senator|pope|ruler)\b
      | (?:,\s[^,.;]{1,50},|,)?\s+(?:is\s+(?:said|known|reported|believed)\s+to\s+have\s+
          |(?:(?:had|has|have|just|already|also|once|later|first)\s+){0,3})
        (?:DEEDS)\b(?!\s+(?:by|as|for|this|these)\b)
      | 's\s[^.;]{1,60}\s(?:provoked|prompted|called\s+forth|led\s+to|inspired|triggered|occasioned|angered|sparked
        |set\s+off|elicited|gave\s+rise\s+to|spurred|caused|drew|moved)\s
      | \s+(?:lies?|looms?|hovers?|hangs?|haunts?|underlies?|underlie
          |stands?\s+behind|influenced|shaped|informs?)\b
      | \s+(?:was|were)\s+(?:among|present|nearby|then|still|already|now|in|on|at|away|viceroy|governor|mayor
          |chancellor|minister|dictator|sultan|tsar|shah|pope|leader)\b
    )""".replace("DEEDS", alternatives("deeds")),
    re.VERBOSE | re.IGNORECASE,
)
# What a person does who is no author: Jane Roe had left her; Jane Roe was singing; Jane Roe is the addressee.
_BUSY = re.compile(
    r"""(?:,\s[^,.;]{1,50},)?\s+(?:
      had\s+(?:(?:just|already|also|long|never|recently|once|been|then)\s+)*
        (?:been\s+(?!writing|speaking|reflecting|thinking|saying|asked|quoted|credited|attributed)\w+
          |(?!been\b)(?:\w+ed|left|made|come|gone|given|become|fallen|shown|PARTICIPLES)\b)
      |(?:was|were)\s+(?:(?:still|already|then|also|busy)\s+)*(?!reflecting|speaking|writing)[a-z]+ing\b
    )""".replace("PARTICIPLES", alternatives("participles")),
    re.VERBOSE,
)
_IS_IN_THE_WORK = re.compile(
    r"""\s+(?:is|was)\s+(?:the|its|his|her|their)\s+(?:\w+\s+)?(?:addressee|dedicatee|subject|target|recipient|model|inspiration|muse
        |object|honou?ree|interlocutor|interviewer|translator|editor|publisher|patron|backdrop)\b""",
    re.VERBOSE,
)
# Jane Roe denounced the war in this speech.
_WITH_THESE_WORDS = re.compile(
    r"(?!\s+(?:is|was|are|were|appears|figures|features)\b)[^.;]*\b(?:in|with|by)\s+(?:this|these)\s+"
    r"(?:speech|words|lines?|poem|passage|essay|letter|sentence|remark|novel|song|book)\b"
)
_ALOUD = re.compile(r"\s+(?:read|recited|performed)\s+(?:this|these)\b")
_OF_AUTHORS = (*group("authoring"), *group("participles_of_authors"), "recorded", "released")
# Ford's Theatre
_PLACE_CALLED = re.compile(
    r"'s\s+(?:[A-Z]\w+\s+)?(?:Playhouse|Theatre|Theater|Tomb|Hall|Church|Chapel|Square|Park|Bar|Pub|Tavern|Inn|Hotel|Cafe"
    r"|Café|Restaurant|Bookstore|Bookshop|Club|School|College|Hospital|Island|Landing|Quotations|Dictionary|Encyclopaedia)\b"
)
_POSSESSED = re.compile(r"['\"*_)]*'s?\s+([A-Z]\w+)(?:\s+([A-Z]\w+))?")


def _nation(after: str) -> bool:
    """Tell whether a country or people is called the person's: Stalin's Soviet Union."""
    match = _POSSESSED.match(after)
    if not match:
        return False
    first, second = match.group(1).lower(), (match.group(2) or "").lower()
    return bool((kinds(first) | kinds(f"{first} {second}")) & Kind.PLACE)


def bystander(after: str, is_author: bool) -> bool | None:
    """Tell whether `after`, what follows a name, shows that the person is no source; None where it shows nothing."""
    if _STUDY_OF.match(after):
        return False
    if _SETTING_AFTER.match(after):
        return True
    if is_author or _WITH_THESE_WORDS.match(after):
        return None
    if _nation(after) or _PLACE_CALLED.match(after):
        return True
    if any(deed.match(after) for deed in (_IN_THE_NEWS, _ON_IT, _IS_IN_THE_WORK, _DONE_TO)):
        return True
    if AUTHORING.match(after) or _ALOUD.match(after):
        return None
    if _BUSY.match(after):
        return True
    handles = _HANDLES_IT.match(after)
    return True if handles and not handles["verb"].startswith(_OF_AUTHORS) else None
