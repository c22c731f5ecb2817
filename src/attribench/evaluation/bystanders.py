"""What follows the name of a person who is in office, in the news, a critic or in the work, and no author of it."""

import re

from attribench.evaluation.authoring import AUTHORING
from attribench.evaluation.words import Kind, alternatives, kinds

# Critics and the like: "Jane Roe condemned the remark".
_ON_IT = re.compile(
    r"""^["'*_)\]]*\s+(?:(?:later|once|also|publicly|famously|often)\s+)*
    (?:critici[sz]ed|condemned|denounced|praised|mocked|banned|censored|quoted|quotes|cited|misquoted|translated|popularized
      |popularised|paraphrased|attacked|objected\s+to|responded\s+to|replied\s+to|edited|illustrated)
    \s+(?:the|this|these|that|it|him|her|them|his|their)\b""",
    re.VERBOSE | re.IGNORECASE,
)
# What belongs to a person in office or in the news, not to an author.
_SETTING_AFTER = re.compile(
    r"^[\"'*_)\]]*\s*(?:'s\s+(?:(?!(?:of|on|about|for|in|to|from|with|and|that|is|was)\b)\w+\s+){0,2}?(?:"
    + alternatives("setting_after")
    + r")\b(?!\s+(?:"
    + alternatives("works_of")
    + r"))|-(?:era|led|esque)\b|\s+(?:"
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
      | \s+(?:is\s+(?:said|known|reported|believed)\s+to\s+have\s+
          |(?:(?:had|has|have|just|already|also|once|later|first)\s+){0,3})
        (?:DEEDS)\b(?!\s+(?:by|as|for|with|in|to)\b)
      | 's\s[^.;]{1,60}\s(?:provoked|prompted|called\s+forth|led\s+to|inspired|triggered|occasioned|angered|sparked
        |set\s+off|elicited|gave\s+rise\s+to|spurred|caused|drew|moved)\s
      | \s+(?:was|were)\s+(?:then|still|already|now|in|on|at|away|viceroy|governor|mayor|chancellor|minister|dictator
          |sultan|tsar|shah|pope|leader)\b
    )""".replace("DEEDS", alternatives("deeds")),
    re.VERBOSE | re.IGNORECASE,
)
# What a person does who is no author: Jane Roe had left her; Jane Roe was singing; Jane Roe is the addressee.
_BUSY = re.compile(
    r"""\s+(?:had\s+(?:(?:just|already|also|long|never|recently|once|been|then)\s+)*(?!been\b)(?:\w+ed|left|made|won|lost|come|gone
        |sent|held|led|met|taken|given|become|begun|fought|fallen|run|brought|built|cut|driven|seen|shown|kept)\b
      |(?:was|were)\s+(?:(?:still|already|then|also|busy)\s+)*(?!reflecting|speaking|writing)[a-z]+ing\b
    )""",
    re.VERBOSE,
)
_IS_IN_THE_WORK = re.compile(
    r"""\s+(?:is|was)\s+(?:the|its|his|her|their)\s+(?:\w+\s+)?(?:addressee|dedicatee|subject|target|recipient|model|inspiration|muse
        |object|honou?ree|interlocutor|interviewer|translator|editor|publisher|patron|backdrop)\b""",
    re.VERBOSE,
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
    if _SETTING_AFTER.match(after) or _nation(after):
        return True
    if is_author:
        return None
    beside = _IN_THE_NEWS.match(after) or _ON_IT.match(after) or _IS_IN_THE_WORK.match(after)
    return True if beside or (_BUSY.match(after) and not AUTHORING.match(after)) else None
