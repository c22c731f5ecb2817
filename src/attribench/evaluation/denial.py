"""Whether a sentence denies that a person said or wrote the words: "not by Jane Roe", "Jane Roe never said this"."""

import re
from functools import lru_cache

from attribench.evaluation.words import group

WORDS = re.compile(r"[^\W_][\w'-]*|[,;:()—–]|(?<= )-(?= )")
_NEGATIONS = group("negations")
# "not known", "not clear, but ...": what is negated is the knowledge, not the name.
_NOT_OF_NAME = group("negated_knowledge")
BARRIERS = frozenset(",;:—–-()")
_FALSELY = group("falsely")
_LINKED = re.compile(
    r"(?:attribut|credit|ascrib|assign|link|associat|quot|put|plac|think|believ|assum|giv|gave|nam|list|cit|present|claim)\w*"
)
_FALSE = re.compile(r"mis-?(?:attribut|ascrib|credit|quot|assign)\w*")
_RATHER = {("rather", "than"), ("instead", "of"), ("contrary", "to"), ("confused", "with"), ("mistaken", "for")}
_NO_EVIDENCE = re.compile(
    r"\bno (?:\w+ )?(?:evidence|record|proof|indication|sign|source|documentation|trace"
    r"|instance|occurrence|mention|hint)\b[^.;]*$"
)

# What is denied before the name in so many words: "I don't think it was Jane Roe", "no book by Jane Roe".
_DENIED_BEFORE = re.compile(
    r"""(?:\b(?:don't|do\s+not|doesn't|does\s+not|didn't|cannot|can't)\s+(?:think|believe|suppose|say)\s+(?:that\s+)?
        (?:it|this|that|the\s+\w+)
        \s+(?:is|was|came|comes|stems|could\s+be|can\s+be)
        (?:\s+(?:really|actually|said|written|spoken))?\s+(?:(?:by|from|to)\s+)?
      |(?<!no\s)(?<!without\s)(?<!a\s)(?<!any\s)\bdoubt(?:s|ed)?(?:\s+(?:that|whether|if))?(?:\s+(?:it|this)\s+(?:is|was)(?:\s+by)?)?\s+
      |\b(?:rul(?:e|ed|es|ing)\s+out|apart\s+from|except(?:ing)?|excluding)\s+
      |\b[Nn]o\s+(?!doubt|question|one|less|wonder)(?:\w+\s+){1,3}(?:by|of|from)\s+
      |\b[Nn]othing\s+(?:in|by|of|from)\s+
      |\b(?:any|every)(?:one|body)\s+(?:but|except|other\s+than)\s+
      |\b(?:debunk|disprov|refut)\w*\s[^.;,]{0,40})["'*_]*$""",
    re.VERBOSE | re.IGNORECASE,
)
_DENIED_AFTER = re.compile(
    r"""^["'*_)\] ]*,?\s*(?:(?:he|she|they)\s+)?
      (?:(?:almost|very|in\s+fact|\w+ly|as\s+far\s+as\s+\w+\s+\w+),?\s+){0,3}(?:
        never\s+(?:actually\s+|really\s+|once\s+|in\s+fact\s+)?(?:said|wrote|uttered|spoke|penned|used|made|coined)
      | (?:did\s+not|didn't|does\s+not|doesn't|could\s+not|couldn't)\s+(?:actually\s+|ever\s+|really\s+)?
        (?:say|write|utter|author|coin|pen|originate|speak|make|use)\b
      | (?:would|could|can|may|might)\s+(?:never|not|hardly|scarcely)\s+(?:possibly\s+)?(?:have\s+)?
        (?:said|say|written|write|uttered|spoken|penned|coined|made|used|authored|known)\b
      | [^.;?!]{0,60}\b(?:he|she|they)\s+(?:did\s+not|didn't|never)\s+(?:actually\s+|really\s+)?
        (?:write|wrote|say|said|utter|uttered|coin|coined|author)\b
      | (?:can|could|may|must)\s+(?:safely\s+)?be\s+(?:ruled\s+out|excluded|dismissed|discounted)\b
      | (?:cannot|can't|couldn't|could\s+not)\s+(?:possibly\s+)?(?:be|have)\b
      | is\s+(?:highly\s+|very\s+|most\s+)?(?:unlikely|improbable|impossible|out\s+of\s+the\s+question)\b
      | (?:has|had)\s+nothing\s+to\s+do\b
      | has\s+been\s+(?:suggested|proposed|named|cited|credited),\s+(?:wrongly|falsely|incorrectly|mistakenly)
      | never\s+(?:\w+\s+)?\w+\s+(?:it|this|that|these|those|any|anything|the\s+(?:words?|line|phrase|sentence|quote))\b
      | ,?\s+but\s+no\b
      | ,?\s+but\s+(?:it|that|this)\s+(?:wasn't|isn't|was\s+not|is\s+not|is\s+(?:wrong|false))\b
      | 's\s+(?:\w+\s+)?authorship\s+(?:is|was|has\s+been)\s+(?:\w+\s+)?
        (?:disproved|disproven|myth|debunked|false|rejected|refuted)\b
      | \?["'*_)]*\s+(?:no\b|nope|never\b|wrong|hardly|unlikely|i\s+doubt|there(?:'s|\s+is)\s+(?:no\b|nothing))
      | (?:(?:gets|takes|is\s+given)\s+the\s+blame|(?:merely|only|just|simply)\s+gets\s+the\s+credit)\b
      | (?:said|wrote|uttered|spoke)\s+(?:nothing|no\s+such)\b
      | (?:denied|denies|disclaimed|disavowed|disowned|repudiated|rejected)\s+
        (?:ever\s+|having\s+|that\s+|all\s+|the\s+|it\b|this\b|saying|writing)
      | (?:predates?|died\s+before)\b
      | but\s[^.;]{0,60}\b(?:attribution|claim|credit)\b[^.;]{0,20}
        \b(?:spurious|false|apocryphal|incorrect|unfounded|mistaken|wrong|erroneous|inaccurate)\b
      | (?:is|was)\s*(?:not|n't|never|neither)\s+(?:actually\s+|in\s+fact\s+)?
        (?:the|its|behind|who|responsible|an?|where|what|how|when|among|known|recorded|credited|one)\b
      | (?:is|are|was)\s+(?:an?\s+)?(?:\w+,?\s+(?:but|and|yet|though)\s+)?
        (?:baseless|groundless|false|apocryphal|incorrect|spurious|wrong|mistaken|erroneous|misattribution|inaccurate|unfounded)\b
      | (?:(?:is|was|has|are|were|gets?|been|being|often|frequently|sometimes|commonly|usually)\s+)+
        (?:mis-?(?:attribut|credit|ascrib|quot)
          |(?:wrongly|falsely|incorrectly|mistakenly|erroneously)\s+(?:attribut|credit|ascrib|quot|cit|named))
    )""",
    re.VERBOSE | re.IGNORECASE,
)

_CLAIM = re.compile(
    r"\b(?:claim|notion|idea|belief|legend|story|rumou?r|assertion|attribution)s?\s+(?:that|to)\b[^.;]*$", re.IGNORECASE
)
_IS_FALSE = re.compile(
    r"\b(?:is|are|was|were)\s+(?:an?\s+)?(?:false|myth|wrong|untrue|baseless|fabrication|hoax|unfounded|spurious)\b"
)
_IS_IT_NOT = re.compile(r"\b(?:isn't|wasn't)\s+(?:this|that|it)\s+(?:by\s+)?$", re.IGNORECASE)
_EAST_AFTER = re.compile(
    r"(?:の(?:言葉|作品|もの))?(?:ではなく|ではありません|ではない|じゃない)|[이가] 아니|(?:所)?(?:没有|沒有|从未|從未)"
)
_EAST_BEFORE = re.compile(r"(?:不是|並非|并非|而非)\s*$")


@lru_cache(maxsize=65536)  # models say who wrote a line in the same words again and again
def denied(before: str, after: str) -> bool:
    """Tell whether the sentence denies that the person said or wrote the words."""
    return bool(
        _DENIED_AFTER.match(after)
        or (not after.isascii() and _EAST_AFTER.match(after))
        or (not before.isascii() and _EAST_BEFORE.search(before))
        or (_negated(before[-110:].lower()) and not (after.startswith("?") and _IS_IT_NOT.search(before)))
        or _DENIED_BEFORE.search(before[-80:])
        or (_CLAIM.search(before[-80:]) and _IS_FALSE.search(after[:80]))
    )


_NEGATING = {*_NEGATIONS, *_FALSELY, *(pair[0] for pair in _RATHER), "n't", "mis", "no "}
_MAYBE_NEGATED = tuple(word for word in sorted(_NEGATING) if not any(w in word for w in _NEGATING - {word}))
"""One of these stands in every text that negates; those that hold another one are left out."""


def _negated(low: str) -> bool:
    for word in _MAYBE_NEGATED:
        if word in low:
            break
    else:
        return False
    found = WORDS.findall(low)[-9:]
    for i in range(len(found) - 1, -1, -1):
        word = found[i]
        rest = found[i + 1 :]
        if word in _NEGATIONS:
            return not (_NOT_OF_NAME & set(rest)) and len(rest) <= 6 and not BARRIERS & set(rest[1:])
        if _FALSE.fullmatch(word) or (word in _FALSELY and any(_LINKED.fullmatch(w) for w in rest)):
            return "but" not in rest and "," not in rest
        if (word, *rest[:1]) in _RATHER and len(rest) <= 3:
            return True
    return bool(_NO_EVIDENCE.search(low)) and not _NOT_OF_NAME & set(found[-3:])
