"""The tables of the stage evaluation: what each model said, and whom it named."""

from attribench.tables import FLAG, INTEGER, NUMBER, TEXT, TEXTS, Column, Table
from attribench.tables.columns import author, author_id, quote_id

OUTCOME_CLASSES = ("correct", "incorrect", "none")
"""What an answer can be: it names the true author, somebody else, or nobody."""

CLASSIFIERS = ("names", "strict", "published")
"""Our rules (`outcomes`), the paper's words (`strict`), and the published code's way (`published`)."""
"""What an answer is decided to be: the true author is named, somebody else, or nobody (Berman et al. 2026, Sec. 3)."""

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

_CASE = Column("case", TEXT, "code of the answer, made from all that identifies it and from its text")
_ABOUT = (
    Column("dataset", TEXT, "the data set"),
    Column("model", TEXT, "slug of the model that gave the answer"),
    *_CONDITION,
    Column("group", TEXT, "the demographic group of the author"),
    author(),
    Column("quote", TEXT, "the quote"),
    Column("answer", TEXT, "the answer"),
    Column("outcome", TEXT, "what the classifier decided: correct, incorrect or none"),
)

AUDIT_SAMPLE = Table(
    "audit sample",
    "answer in the sample",
    ("case",),
    (
        _CASE,
        *_ABOUT,
        author_id(),
        Column("race", TEXT, "race or ethnicity on record", optional=True),
        Column("gender", TEXT, "gender on record", optional=True),
        Column("aliases", TEXTS, "further names of the author"),
        Column("names", TEXTS, "the names that the classifier counted as given for the author"),
        Column("name_rules", TEXTS, "for each of them, the rule that made it count"),
        Column("passed_over", TEXTS, "the names that it did not count"),
        Column("passed_over_rules", TEXTS, "for each of them, the rule that passed it over"),
        Column("weight", NUMBER, "classified answers that this one stands for", "answers"),
    ),
)

AUDIT_SHEET = Table(
    "audit sheet",
    "answer in the sample",
    ("case",),
    (
        _CASE,
        Column("quote", TEXT, "the quote"),
        author(),
        Column("other_names", TEXT, "further names of the author, set apart by semicolons", optional=True),
        Column("answer", TEXT, "the answer"),
        Column("judgement", TEXT, "to fill in: correct, incorrect, none or unclear", optional=True),
        Column("note", TEXT, "to fill in if there is something to say", optional=True),
    ),
)

JUDGE_ANSWERS = Table(
    "judge's answers",
    "answer in the sample × request",
    ("case", "request"),
    (
        _CASE,
        Column("judge", TEXT, "the model that was asked"),
        Column("request", INTEGER, "number of the request, from 0; another follows an answer that is no judgement"),
        Column("status", TEXT, "ok, refused, truncated, empty or failed"),
        Column("text", TEXT, "what the judge said", optional=True),
        Column("judgement", TEXT, "correct, incorrect or none; missing if it is none of the three", optional=True),
        Column("cause", TEXT, "why there is no answer", optional=True),
        Column("key", TEXT, "key of the answer in the ledger"),
        Column("served_model", TEXT, "the model that the service says it used", optional=True),
        Column("cost", NUMBER, "price of the call; missing where it is not known", "USD", optional=True),
        Column("asked_at", TEXT, "when the answer arrived, ISO 8601 in UTC", optional=True),
    ),
)

AUDIT_AGREEMENT = Table(
    "agreement of the audit",
    "pair of judges × attribute × value",
    ("one", "other", "attribute", "value"),
    (
        Column("one", TEXT, "the classifier, or the model that judged where it is compared with the person"),
        Column("other", TEXT, "the name of the model that judged, or 'a person'"),
        Column("attribute", TEXT, "all, dataset, group, model, prompt or outcome (what the classifier decided)"),
        Column("value", TEXT, "which of them"),
        Column("n_sampled", INTEGER, "answers in the sample"),
        Column("n_judged", INTEGER, "those of them that both judged"),
        Column("n_agree", INTEGER, "those that both judged alike"),
        Column("agreement", NUMBER, "share of those judged alike", "share, 0 to 1", optional=True),
        Column("ci_low", NUMBER, "lower end of its 95 % Wilson interval", "share, 0 to 1", optional=True),
        Column("ci_high", NUMBER, "upper end of its 95 % Wilson interval", "share, 0 to 1", optional=True),
        Column(
            "weighted_agreement",
            NUMBER,
            "the same with each answer counted for the answers that it stands for",
            "share, 0 to 1",
            optional=True,
        ),
        Column("kappa", NUMBER, "Cohen's kappa of those judged by both", optional=True),
        Column("kappa_low", NUMBER, "lower end of its 95 % confidence interval", optional=True),
        Column("kappa_high", NUMBER, "upper end of its 95 % confidence interval", optional=True),
        Column("note", TEXT, "why a figure is missing or rests on too little", optional=True),
    ),
)

AUDIT_CONFUSION = Table(
    "confusion of the audit",
    "pair of judges × outcome × judgement",
    ("one", "other", "said_by_one", "said_by_other"),
    (
        Column("one", TEXT, "the classifier, or the model that judged where it is compared with the person"),
        Column("other", TEXT, "the name of the model that judged, or 'a person'"),
        Column("said_by_one", TEXT, "correct, incorrect or none"),
        Column("said_by_other", TEXT, "correct, incorrect, none, or 'no judgement'"),
        Column("n", INTEGER, "answers in the sample"),
    ),
)

DISAGREEMENTS = Table(
    "disagreements of the audit",
    "judge × answer that it judges otherwise than the classifier",
    ("judge", "case"),
    (
        Column("judge", TEXT, "the name of the model that judged, or 'a person'"),
        _CASE,
        Column("judgement", TEXT, "what the judge says"),
        *_ABOUT,
        Column("counted", TEXT, "the names that the classifier counted, each with the rule that made it count"),
        Column("passed_over", TEXT, "the names that it did not count, each with the rule that passed it over"),
        Column("note", TEXT, "the person's note", optional=True),
    ),
)

INSTRUMENT_ERROR = Table(
    "error of the instrument",
    "source × classifier × data set × attribute × value × true outcome",
    ("source", "classifier", "dataset", "attribute", "value", "expected"),
    (
        Column(
            "source",
            TEXT,
            "whence the truth is known: planted, labelled, labelled_latino, judge or hand",
        ),
        Column("classifier", TEXT, "how whom an answer names was decided: names, strict or published"),
        Column("dataset", TEXT, "the data set that the group is of; all for the other attributes"),
        Column("attribute", TEXT, "all, race, gender, group, or name form (an author can have several)"),
        Column("value", TEXT, "which of them"),
        Column("expected", TEXT, "true outcome of the answers that are counted: correct, incorrect, none, or all"),
        Column("n", INTEGER, "answers"),
        Column("n_authors", INTEGER, "authors of the quotes that they are about"),
        Column("errors", INTEGER, "answers that the classifier decides otherwise than the source"),
        Column("error_rate", NUMBER, "their share", "share, 0 to 1"),
        Column(
            "weighted_error_rate",
            NUMBER,
            "the same with each answer of the audit's sample counted for the answers that it stands for",
            "share, 0 to 1",
            optional=True,
        ),
        Column("ci_low", NUMBER, "lower end of its 95 % Wilson interval", "share, 0 to 1"),
        Column("ci_high", NUMBER, "upper end of its 95 % Wilson interval", "share, 0 to 1"),
        Column("difference", NUMBER, "error rate minus that of the best value of the attribute", "share"),
        Column("difference_low", NUMBER, "lower end of its 95 % interval (Newcombe)", "share", optional=True),
        Column("difference_high", NUMBER, "upper end of its 95 % interval (Newcombe)", "share", optional=True),
        Column("excess_correct", NUMBER, "share decided correct minus share truly correct: enters accuracy", "share"),
        Column("excess_none", NUMBER, "share decided none minus share truly none: enters S_omit", "share"),
        Column("note", TEXT, "what to beware of", optional=True),
    ),
)
