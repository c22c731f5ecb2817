"""The exceptions that a user of the workflow can meet, in one tree.

::

    AttribenchError
    ├── ConfigError      the configuration says something that cannot be done
    ├── InputError       a file that was handed in is missing, misshapen or empty
    ├── MatchingError    no benchmark can be made from the authors at hand
    ├── EndpointError    a model or service cannot be reached or refuses to work at all
    ├── BudgetError      what may be spent is spent
    └── MissingAnswersError  some questions have no answer after all attempts

Every message is a sentence or more: what was found, where, what was expected, what to do.
"""

from collections import Counter
from collections.abc import Iterable


class AttribenchError(Exception):
    """An error that is shown to the user as its message alone, without a traceback."""


class ConfigError(AttribenchError):
    """The configuration says something that cannot be done."""


class InputError(AttribenchError):
    """A file that was handed in is missing, misshapen or empty."""


class MatchingError(AttribenchError):
    """No benchmark can be made from the authors at hand."""


class EndpointError(AttribenchError):
    """A model or service cannot be reached, or refuses to work at all."""


class BudgetError(AttribenchError):
    """What may be spent is spent."""


class MissingAnswersError(AttribenchError):
    """Some questions have no answer after all attempts."""


def list_causes(causes: Iterable[str]) -> str:
    """Return why calls failed, each cause with its number, the commonest first."""
    return ", ".join(f"{count} {cause}" for cause, count in Counter(causes).most_common())
