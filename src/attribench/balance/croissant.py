"""Croissant metadata of a released benchmark: JSON-LD that says what its files and columns are.

The form is that of the Croissant Format Specification 1.0 (MLCommons 2024).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from attribench.tables import FLAG, INTEGER, NUMBER, TEXT, Column, Table

CONFORMS_TO = "http://mlcommons.org/croissant/1.0"

# The context that the specification prescribes.
_OWN_TERMS = (
    "citeAs column extract field fileProperty fileObject fileSet format includes isLiveDataset jsonPath key md5 "
    "parentField path recordSet references regex repeated replace separator source subField transform"
)
_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    **{term: f"cr:{term}" for term in _OWN_TERMS.split()},
}
_TYPES = {TEXT: "sc:Text", INTEGER: "sc:Integer", NUMBER: "sc:Float", FLAG: "sc:Boolean"}


@dataclass(frozen=True)
class ReleasedFile:
    """A file of a release, as it is described: `size` is in bytes."""

    name: str
    description: str
    media_type: str
    size: int
    sha256: str


def describe(
    table: Table, files: Sequence[ReleasedFile], *, name: str, description: str, version: str, terms: Mapping[str, str]
) -> dict[str, Any]:
    """Return the metadata of a data set.

    Args:
        table: the declaration of the table that the first of `files` holds, a Parquet file.
        files: the files that hold data.
        name: the data set's name.
        description: what it is, in a sentence or two.
        version: a semantic version.
        terms: `creator`, `license`, `url` and `date_published`.
    """
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO,
        "name": name,
        "description": description,
        "version": version,
        "license": terms["license"],
        "url": terms["url"],
        "creator": {"@type": "sc:Organization", "name": terms["creator"]},
        "datePublished": terms["date_published"],
        "citeAs": "Berman, Chang, Neill and Black. Attribution Bias in Large Language Models. 2026.",
        "isLiveDataset": False,
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": file.name,
                "name": file.name,
                "description": file.description,
                "contentUrl": file.name,
                "contentSize": f"{file.size} B",
                "encodingFormat": file.media_type,
                "sha256": file.sha256,
            }
            for file in files
        ],
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": table.name,
                "name": table.name,
                "description": f"One record is a {table.grain}.",
                "key": [{"@id": f"{table.name}/{column}"} for column in table.key],
                "field": [_field(column, table.name, files[0].name) for column in table.columns],
            }
        ],
    }


def _field(column: Column, record_set: str, file: str) -> dict[str, Any]:
    is_list = pa.types.is_list(column.type)
    field = {
        "@type": "cr:Field",
        "@id": f"{record_set}/{column.name}",
        "name": column.name,
        "description": column.meaning + (f" ({column.unit})" if column.unit else ""),
        "dataType": _TYPES[column.type.value_type if is_list else column.type],
        "source": {"fileObject": {"@id": file}, "extract": {"column": column.name}},
    }
    return field | ({"repeated": True} if is_list else {})
