"""What stands beside a word that is a person's name: by, said, 's essay."""

import re

# What names a person right before the name.
CALLED = re.compile(
    r"\b(?:by|attributed to|belongs? to|named?|by the name of|"
    r"(?:man|woman|person|someone|poet|writer|author|philosopher|singer|rapper|musician|artist) (?:called|known as)|"
    r"(?:author|speaker|writer|poet)\b(?: of \"[^\"]{0,300}\"?)?[^.;,\"]{0,50}?"
    r" (?:is|was)(?: (?:most|likely|probably|possibly|perhaps|indeed|actually|believed|thought|said|to be))*)"
    r"\s+[\"'*_(]*$",
    re.IGNORECASE,
)
APPOSED = re.compile(
    r"\b(?:author|speaker|writer|poet|source)\b(?: of \"[^\"]{0,300}\"?)?[^.;\"]{0,50}"
    r" (?:is|was) (?:an?|the) [^.;,\"]{1,60}, (?:named )?$",
    re.IGNORECASE,
)
GUESSED = re.compile(
    r"^[*_]*, (?:I(?:'d|'m| would| am)? (?:\w+ )?"
    r"(?:believe|think|guess|suppose|say|bet|wager|sure|certain|assume|reckon|imagine)"
    r"|(?:probably|perhaps|presumably|most likely|surely|of course"
    r"|no doubt|undoubtedly|obviously|maybe|possibly|apparently|at a guess))\b"
)
SIGNED = re.compile(r"(?:\"|\*|^)\s*[-—–]\s*[*_]*$|\b(?:author|speaker|poet|writer|by)\s*:\s*[*_ ]*$", re.IGNORECASE)
# What only a person does, also one whose name is made of ordinary words: Meek Mill rapped.
_SPEAKS = re.compile(
    r"^['\"*_)]*(?:\s*,[^,.;]{1,50},|\s*\([^)]{1,40}\))?\s+(?:(?:once|famously|also|often|first|actually|later|has|had)\s+)*"
    r"(?:is the \w+ who\s+)?"
    r"(?:wrote|written|writes|said|says|penned|rapped|raps|sang|coined|tweeted|told|tells|stated|remarked|remarks|observed|"
    r"argued|argues|declared|spoke|speaks|recited|reflects|urged|urges|explains|explained|describes|described|put it|"
    r"never (?:said|wrote)|is the author|was the author)\b"
    r"|^ on [a-z]+(?: [a-z]+)?:"
)
_OWNS = re.compile(
    r"^[*_]*'s?(?:[*_]*\.?\s*$|\s+(?:essay|poem|speech|song|lyrics?|memoir|autobiography|words|letters?|album)\b)"
)
# What a person does who has an ordinary word or a place for a surname: Dove returned.
LIVES = re.compile(
    r"^\s+(?:(?:also|later|first|once|often|then)\s+)*(?:read|reads|recited|grew|grows|"
    r"studied|taught|married|moved|"
    r"performed|recalled|recalls|remembered|remembers|returned|returns|"
    r"lived|worked|was born|was raised|"
    r"himself|herself|who|has|had|believed|"
    r"believes|imagines|imagined|spent|went|lost|refused|fled|died|became|began)\b"
)
ACTS = re.compile(r"^\s+(?:[a-z]+(?<!s)s|[a-z]+ed|was|is|has|had|wrote|began|went|saw|made)\b")
# The author of this quote is likely an actor named Jane Roe.
THE_AUTHOR_IS = re.compile(
    r"\b(?:author|speaker|writer)\b[^.;]{0,120} (?:is|was) "
    r"(?![^.;\"]*\b(?:to (?!be )|with|about|for|from|of|by|on|who|whose|that)\b)[^.;\"]*$",
    re.IGNORECASE,
)
IN_THE_NAME_OF = re.compile(r"^[\"'*_)]*'s?\s+(?:own\s+)?(?:real\s+|pen\s+)?name\b")
NAMES_AUTHORS = re.compile(
    r"\b(?:attribut|credit|ascrib|author|writer|candidate|possibl|by\b|source|example|name)", re.IGNORECASE
)
WHICH_DID = re.compile(r"^\s+(?:(?:later|also|once|first|then)\s+)?[a-z-]+(?:ed|led|won)\b")
ABOUT_THE_QUOTE = re.compile(
    r"\b(?:context|author|source|origin|speaker|writer|background)(?: of| behind| for)?"
    r"(?: (?:this|the|that) (?:quote|quotation|line|passage|statement|sentence))?"
    r" (?:is|was|could be|may be|seems to be)(?: likely| probably)? about $",
    re.IGNORECASE,
)


def speaks(after: str) -> bool:
    """Tell whether what follows a name is what only a person does or has: wrote, said, 's essay."""
    return bool(_SPEAKS.match(after) or _OWNS.match(after))
