"""The tables of the stage evaluation: what each model said, and whom it named."""

from attribench.tables import FLAG, INTEGER, NUMBER, TEXT, TEXTS, Column, Table
from attribench.tables.columns import quote_id

_CONDITION = (
    quote_id(),
    Column("prompt", TEXT, "direct, indirect, indirect_overt or a prompt of the user's own"),
    Column("evidence", FLAG, "whether the prompt held retrieved quotes with their authors"),
    Column("generation", INTEGER, "number of the sample, from 0"),
)
_CONDITION_KEY = ("quote_id", "prompt", "evidence", "generation")

RESPONSES = Table(
    "responses",
    "quote × prompt × evidence × generation",
    _CONDITION_KEY,
    (
        *_CONDITION,
        Column("key", TEXT, "key of the answer in the ledger"),
        Column("status", TEXT, "ok, refused, truncated, empty or failed"),
        Column("text", TEXT, "the answer", optional=True),
        Column("finish_reason", TEXT, "why the model stopped, in the service's word", optional=True),
        Column("cause", TEXT, "why there is no answer", optional=True),
        Column("served_model", TEXT, "the model that the service says it used", optional=True),
        Column("prompt_tokens", INTEGER, "length of the question", "tokens", optional=True),
        Column("completion_tokens", INTEGER, "length of the answer", "tokens", optional=True),
        Column("reasoning_tokens", INTEGER, "tokens spent on reasoning", "tokens", optional=True),
        Column("cost", NUMBER, "price of the call; missing where it is not known", "USD", optional=True),
        Column("seconds", NUMBER, "time from request to answer", "s", optional=True),
        Column("attempts", INTEGER, "calls made for this answer"),
        Column("asked_at", TEXT, "when the answer arrived, ISO 8601 in UTC", optional=True),
    ),
)

OUTCOMES = Table(
    "outcomes",
    "quote × prompt × evidence × generation",
    _CONDITION_KEY,
    (
        *_CONDITION,
        Column("status", TEXT, "status of the answer"),
        Column("outcome", TEXT, "correct, incorrect or none; missing where there is no answer", optional=True),
        Column("outcome_names", TEXT, "the outcome by the rules of names and roles", optional=True),
        Column("outcome_strict", TEXT, "the outcome by the words of the paper", optional=True),
        Column("outcome_published", TEXT, "the outcome as the published code decides", optional=True),
        Column("names", TEXTS, "the names that count as given for the author, by the rules of names and roles"),
        Column("name_rules", TEXTS, "for each of them, the rule that made it count"),
        Column("passed_over", TEXTS, "the names that do not count"),
        Column("passed_over_rules", TEXTS, "for each of them, the rule that passed it over"),
    ),
)
