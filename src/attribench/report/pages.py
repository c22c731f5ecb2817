"""Pages of HTML that are one file: pictures, style and script are inside, and nothing comes from elsewhere.

Whatever comes from a table, from a model's answer above all, is escaped by the templates; the pages refuse every
script but the one that sorts tables, whose hash they name.
"""

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import docutils.core
import jinja2
from markupsafe import Markup

_PIXELS_PER_INCH = 96


@dataclass(frozen=True)
class Picture:
    """A figure as it stands on a page; `width` and `height` are in pixels as shown."""

    name: str
    title: str
    data: str
    width: int
    height: int
    caption: Markup


def write_page(path: Path, template: str, folder: Path, **values: Any) -> None:
    """Write the page that `template` in `folder` makes of `values`."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder), autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True
    )
    style, script = ((folder / name).read_text(encoding="utf-8") for name in ("style.css", "sort.js"))
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    text = environment.get_template(template).render(
        style=Markup(style), script=Markup(script), script_hash=Markup(f"'sha256-{digest}'"), **values
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def picture(png: Path, title: str, caption: Markup, dpi: int) -> Picture:
    """Return the figure in the file `png` for a page, as large as it was drawn, with `dpi` dots an inch."""
    content = png.read_bytes()
    width, height = (int.from_bytes(content[at : at + 4], "big") for at in (16, 20))  # the header of every PNG
    data = f"data:image/png;base64,{base64.b64encode(content).decode()}"
    width, height = (round(size * _PIXELS_PER_INCH / dpi) for size in (width, height))
    return Picture(png.stem, title, data, width, height, caption)


def caption(file: Path, context: Mapping[str, Mapping[str, Any]]) -> Markup:
    """Return a caption of Snakemake's report (reStructuredText with jinja2) as HTML.

    Args:
        file: the caption.
        context: what it may name of the object `snakemake`: wildcards, params, config.
    """
    named = {name: SimpleNamespace(**values) if name != "config" else values for name, values in context.items()}
    text = jinja2.Template(file.read_text(encoding="utf-8")).render(snakemake=SimpleNamespace(**named))
    settings = {"raw_enabled": False, "file_insertion_enabled": False, "report_level": 5, "initial_header_level": 3}
    parts = docutils.core.publish_parts(text, writer="html5", settings_overrides=settings)
    return Markup(parts["body"])
