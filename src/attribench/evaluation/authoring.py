"""What follows the name of somebody who wrote or said something: wrote, , the author, 's poem."""

import re

from attribench.evaluation.words import alternatives

WORK_OF = re.compile(
    r"^['\"*_)]*\s*'s?\s+(?:[\w'-]+\s+){0,4}?(?:[*_\"]|(?:The|A|An|On)\s+[A-Z]|(?:"
    + alternatives("works_of")
    + r")\w*)"
)
AUTHORING = re.compile(
    r"""^["'*_)\]]*(?:\s*,[^,.;]{1,50},|\s*\([^)]{1,40}\))?,?\s+
    (?:(?:who|once|famously|first|then|actually|often|also|later|has|had)\s+|is\s+(?:the\s+|known|believed|said|likely)
      |was\s+(?:the\s+|an?\s+|reflecting|speaking|writing))*
    (?:the\b|"""
    + alternatives("authoring").replace(" ", r"\s+")
    + ")",
    re.VERBOSE | re.IGNORECASE,
)
