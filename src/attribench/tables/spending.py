"""The tables about money: what a run would cost, and what it did cost."""

from attribench.tables import INTEGER, NUMBER, TEXT, Column, Table

_WHAT = (
    Column("stage", TEXT, "evaluation, labels, search hits, embeddings or judge"),
    Column("model", TEXT, "the model by its name in the configuration, or the service"),
    Column("dataset", TEXT, "the data set; empty where the work is not about one"),
)
_KEY = ("stage", "model", "dataset")

ESTIMATE = Table(
    "estimate",
    "stage × model × data set",
    _KEY,
    (
        *_WHAT,
        Column("calls", INTEGER, "calls that the work takes in all"),
        Column(
            "stored",
            INTEGER,
            "calls that cost nothing: answered before, or the same as for an earlier row of the model",
        ),
        Column("to_ask", INTEGER, "calls that are left, without those that fail and are made again"),
        Column("prompt_tokens_low", NUMBER, "length of the questions left, at least", "tokens"),
        Column("prompt_tokens_high", NUMBER, "length of the questions left, at most", "tokens"),
        Column("completion_tokens_low", NUMBER, "length of the answers left, at least", "tokens"),
        Column("completion_tokens_high", NUMBER, "length of the answers left, at most", "tokens"),
        Column("usd_low", NUMBER, "price of what is left, at least; missing where it is unknown", "USD", optional=True),
        Column("usd_high", NUMBER, "price of what is left, at most; missing where it is unknown", "USD", optional=True),
        Column("price", TEXT, "where the price is from: configuration, litellm, own server or unknown"),
        Column("counted", TEXT, "how the tokens were counted, and what was assumed"),
    ),
)

SPENDING = Table(
    "spending",
    "stage × model × data set",
    _KEY,
    (
        *_WHAT,
        Column("answers", INTEGER, "questions asked; one that several data sets share counts in the first of them"),
        Column("ok", INTEGER, "answers with text"),
        Column("refused", INTEGER, "answers that a filter or the model refused"),
        Column("truncated", INTEGER, "answers that were cut off"),
        Column("empty", INTEGER, "answers without text"),
        Column("failed", INTEGER, "questions without an answer"),
        Column("calls", INTEGER, "calls made for them, those that failed included"),
        Column("prompt_tokens", INTEGER, "length of the questions", "tokens"),
        Column("completion_tokens", INTEGER, "length of the answers", "tokens"),
        Column("reasoning_tokens", INTEGER, "tokens spent on reasoning", "tokens"),
        Column("answers_with_reasoning", INTEGER, "answers for which tokens were spent on reasoning"),
        Column("usd", NUMBER, "price of the answers, as far as it is known", "USD"),
        Column("unpriced", INTEGER, "answers whose price is not known"),
        Column("seconds", NUMBER, "time from request to answer, summed over the answers", "s"),
    ),
)
