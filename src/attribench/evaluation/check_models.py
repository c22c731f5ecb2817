"""Step: find out how every hosted model would be asked, and what stands in the way, before any is."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, TextIO

from attribench.chat.preflight import Plan, plan_calls, require_ready
from attribench.step import run, screen


def main(*, models: Sequence[Mapping[str, Any]], seed: int, stores: str, preflight: Path) -> None:
    """Print how each of `models` will be asked, and write it to `preflight`, by the model's name.

    Args:
        models: the models, with the fields of `attribench.settings.Model`.
        seed: the seed of the first generation.
        stores: folder with the stores of answers. Without a key a model can still be read from its store.
        preflight: where the plans go, as JSON.

    Raises:
        EndpointError: a key is missing, or something cannot be sent and is not declared.
    """
    plans = [plan_calls(model, seed) for model in models]
    show(plans, screen())
    known = [Path(stores) / f"{plan.model}.sqlite" for plan in plans]
    # A key is checked again where it is used, and may be set by then: the plan that is kept says nothing of it.
    keyless = [replace(plan, missing_key=None) for plan in plans]
    require_ready(kept if store.is_file() else plan for plan, kept, store in zip(plans, keyless, known, strict=True))
    preflight.parent.mkdir(parents=True, exist_ok=True)
    found = {plan.model: asdict(plan) for plan in keyless}
    preflight.write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def show(plans: Sequence[Plan], stream: TextIO) -> None:
    """Print the plans as a table."""
    lines = [("model", "asked as", "what is sent", "left out", "reasoning", "price")]
    for plan in plans:
        sent = ", ".join(f"{name}={value}" for name, value in plan.sent.items())
        lines.append((plan.model, plan.id, sent, ", ".join(plan.left_out) or "-", plan.reasoning, plan.price))
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip(), file=stream)
    stream.flush()


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
