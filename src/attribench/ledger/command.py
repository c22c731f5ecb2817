"""The command ``attribench ledger``: list, export, import and verify what is stored."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from attribench.errors import AttribenchError
from attribench.ledger.contents import describe, export, exported, find_stores, take_in, verify

_ROOT = Path("resources/cache")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return 0, or 1 where something is wrong with a store."""
    wanted = _parser().parse_args(arguments)
    try:
        stores = find_stores(wanted.cache)
        if wanted.stores:
            unknown = [name for name in wanted.stores if name not in stores and wanted.command != "import"]
            if unknown:
                print(f"There is no store {', '.join(unknown)}; there are: {', '.join(stores)}.", file=sys.stderr)
                return 1
            stores = {name: path for name, path in stores.items() if name in wanted.stores}
        if not stores and wanted.command != "import":
            print(f"There is no store in {wanted.cache}.")
            return 0
        command = {"list": _list, "export": _export, "import": _import, "verify": _verify}[wanted.command]
        return command(stores, wanted)
    except AttribenchError as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="attribench ledger", description="What was asked of models and services, and what they answered."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name, text in {
        "list": "say what each store holds",
        "export": "write stores to Parquet files in a folder",
        "import": "take the answers of such a folder in; what is there already stays",
        "verify": "check every key and page",
    }.items():
        command = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        if name in ("export", "import"):
            command.add_argument("folder", type=Path)
        command.add_argument("stores", nargs="*", metavar="store", help="such as evaluation/gpt-4o; all by default")
        command.add_argument("--cache", type=Path, default=_ROOT, help="folder with the stores (%(default)s)")
    return parser


def _list(stores: dict[str, Path], wanted: argparse.Namespace) -> int:
    heading = (
        "store",
        "answers",
        "cut off, no text",
        "failed calls",
        "tokens in",
        "tokens out",
        "USD",
        "no price",
        "last",
        "MB",
    )
    lines = [heading]
    for name, path in stores.items():
        held = describe(name, path)
        lines.append(
            (
                name,
                f"{held.answers:,}",
                f"{held.answers - held.ok:,}",
                f"{held.failed_calls:,}",
                f"{held.prompt_tokens:,}",
                f"{held.completion_tokens:,}",
                f"{held.cost:.4f}",
                f"{held.unpriced:,}",
                held.last[:16],
                f"{held.megabytes:.1f}",
            )
        )
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for name, *values in lines:
        cells = [name.ljust(widths[0]), *(value.rjust(width) for value, width in zip(values, widths[1:], strict=True))]
        print("  ".join(cells).rstrip())
    return 0


def _export(stores: dict[str, Path], wanted: argparse.Namespace) -> int:
    for name, path in stores.items():
        print(f"{name}: {export(name, path, wanted.folder):,} answers written to {wanted.folder}")
    return 0


def _import(_: dict[str, Path], wanted: argparse.Namespace) -> int:
    there = exported(wanted.folder)
    chosen = wanted.stores or list(there)
    unknown = [name for name in chosen if name not in there]
    if unknown or not there:
        what = ", ".join(unknown) or "store"
        print(f"There is no exported {what} in {wanted.folder}; there are: {', '.join(there) or 'none'}.")
        return 1
    for name in chosen:
        new, number = take_in(name, wanted.folder, wanted.cache)
        print(f"{name}: {new:,} of {number:,} answers taken in, {number - new:,} were there")
    return 0


def _verify(stores: dict[str, Path], wanted: argparse.Namespace) -> int:
    code = 0
    for name, path in stores.items():
        wrong = verify(path)
        print(f"{name}: {'in order' if not wrong else '; '.join(wrong[:10])}")
        if wrong:
            code = 1
    return code
