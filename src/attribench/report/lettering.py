"""Names as they can be drawn: with letters that a font has, in lines that fit."""

import re
from functools import cache

from matplotlib.font_manager import FontProperties, fontManager, get_font

# The first is part of matplotlib; the others are used, where they are installed, for letters it lacks.
_FONTS = ("DejaVu Sans", "Noto Sans", "Noto Sans CJK JP", "Noto Sans CJK SC", "Noto Sans Devanagari")

# Names of models and prompts have few spaces: a long one may also be parted after one of these.
_PART = re.compile(r"[^_/.-]*[_/.-]|[^_/.-]+")


@cache
def fonts() -> tuple[str, ...]:
    """Return the fonts in which to look for a letter, in this order."""
    installed = set(fontManager.get_font_names())
    return tuple(name for name in _FONTS if name in installed)


def drawable(text: str) -> str:
    """Return `text` on one line and with letters that can be drawn.

    A letter that no font has is given by its code point (U+6751), since empty boxes would make
    two names look alike.
    """
    plain = "".join(c if c.isprintable() else " " for c in text)
    letters = (c if ord(c) in _letters() else f"[U+{ord(c):04X}]" for c in " ".join(plain.split()))
    return "".join(letters).replace("][", " ")


def wrap(text: str, width: int) -> str:
    """Return `text` as it can be drawn, in lines of at most `width` letters where it can be parted."""
    lines = [""]
    for word in drawable(text).split():
        for i, part in enumerate(_PART.findall(word) if len(word) > width else [word]):
            space = " " if i == 0 and lines[-1] else ""
            if lines[-1] and len(lines[-1] + space + part) > width:
                lines.append(part)
            else:
                lines[-1] += space + part
    return "\n".join(lines)


@cache
def _letters() -> frozenset[int]:
    files = [fontManager.findfont(FontProperties(family=name)) for name in fonts()]
    return frozenset().union(*(get_font(file).get_charmap() for file in files))
