"""The tables of the stage demographics: what race and gender each author is recorded with."""

from attribench.tables import INTEGER, NUMBER, TEXT, TEXTS, Column, Table
from attribench.tables.columns import author, author_id

LABELS = Table(
    "labels",
    "author",
    ("author_id",),
    (
        author_id(),
        author(),
        Column("race", TEXT, "race or ethnicity on record, in lower case", optional=True),
        Column("gender", TEXT, "gender on record, in lower case", optional=True),
        Column("race_source", TEXT, "the source that gave the race", optional=True),
        Column("gender_source", TEXT, "the source that gave the gender", optional=True),
        Column("reason", TEXT, "why a label is missing, source by source; empty if none is", optional=True),
    ),
)

LABELLER_ANSWERS = Table(
    "labeller answers",
    "author × attribute × labeller × request",
    ("author_id", "attribute", "labeller", "request"),
    (
        author_id(),
        author(),
        Column("attribute", TEXT, "race or gender"),
        Column("labeller", TEXT, "the model that was asked"),
        Column("request", INTEGER, "number of the request, from 0; another follows an answer that is not one letter"),
        Column("options", TEXTS, "the options in the order of this request: the first is A"),
        Column("status", TEXT, "ok, refused, truncated, empty or failed"),
        Column("text", TEXT, "the answer", optional=True),
        Column(
            "label", TEXT, "the option that it names, in lower case; missing if it is not one letter", optional=True
        ),
        Column("cause", TEXT, "why there is no answer", optional=True),
        Column("key", TEXT, "key of the answer in the ledger"),
        Column("served_model", TEXT, "the model that the service says it used", optional=True),
        Column("cost", NUMBER, "price of the call; missing where it is not known", "USD", optional=True),
        Column("asked_at", TEXT, "when the answer arrived, ISO 8601 in UTC", optional=True),
    ),
)

AGREEMENT = Table(
    "agreement of labellers",
    "attribute",
    ("attribute",),
    (
        Column("attribute", TEXT, "race or gender"),
        Column("labeller_1", TEXT, "the first model"),
        Column("labeller_2", TEXT, "the second model"),
        Column("n_asked", INTEGER, "authors that both were asked about"),
        Column("n_kept", INTEGER, "of these, with identical answers other than Other: the labels"),
        Column("n_other", INTEGER, "with Other from either"),
        Column("n_differ", INTEGER, "with different answers, neither of them Other"),
        Column("n_no_answer", INTEGER, "without an answer from either"),
        Column("agreement", NUMBER, "identical answers among those that both gave", "share, 0 to 1", optional=True),
        Column("kappa", NUMBER, "Cohen's kappa of the answers that both gave, Other among them", optional=True),
        Column("ci_low", NUMBER, "lower end of its 95 % confidence interval", optional=True),
        Column("ci_high", NUMBER, "upper end of its 95 % confidence interval", optional=True),
        Column("note", TEXT, "why a figure is missing or rests on too little", optional=True),
    ),
)

VALIDATION_SAMPLE = Table(
    "validation sample",
    "author in the sample",
    ("author_id",),
    (
        author_id(),
        author(),
        Column("group", TEXT, "race and gender on record"),
        Column("race", TEXT, "race or ethnicity on record"),
        Column("gender", TEXT, "gender on record"),
        Column("race_source", TEXT, "the source that gave the race"),
        Column("gender_source", TEXT, "the source that gave the gender"),
        Column("weight", NUMBER, "labelled authors that this one stands for", "authors"),
    ),
)

VALIDATION_SHEET = Table(
    "validation sheet",
    "author in the sample",
    ("author_id",),
    (
        author_id(),
        author(),
        Column("race_true", TEXT, "to fill in: the race or ethnicity that sources give, or unknown", optional=True),
        Column("gender_true", TEXT, "to fill in: the gender that sources give, or unknown", optional=True),
        Column("note", TEXT, "to fill in if there is something to say: sources, doubts", optional=True),
    ),
)

VALIDATION = Table(
    "validation",
    "attribute × source × group, with 'all' for any",
    ("attribute", "source", "group"),
    (
        Column("attribute", TEXT, "race or gender"),
        Column("source", TEXT, "the source of the label, or all"),
        Column("group", TEXT, "race and gender on record, or all"),
        Column("n_checked", INTEGER, "labels that the person could decide about"),
        Column("n_unknown", INTEGER, "labels that the person could not decide about: left out"),
        Column("n_correct", INTEGER, "labels that the person agrees with"),
        Column("accuracy", NUMBER, "share of correct labels in the sample", "share, 0 to 1", optional=True),
        Column("ci_low", NUMBER, "lower end of its 95 % Wilson interval", "share, 0 to 1", optional=True),
        Column("ci_high", NUMBER, "upper end of its 95 % Wilson interval", "share, 0 to 1", optional=True),
        Column(
            "weighted_accuracy",
            NUMBER,
            "the same with each label counted for the authors that it stands for",
            "share, 0 to 1",
            optional=True,
        ),
    ),
)

WIKIDATA = Table(
    "wikidata",
    "author",
    ("author_id",),
    (
        author_id(),
        author(),
        Column(
            "status",
            TEXT,
            "found, multiple (found, with ethnic groups or genders that exclude each other), ambiguous (several "
            "persons of this name), not_found, missing (found, but deleted since), not_a_person, group, or failed "
            "(could not be asked)",
        ),
        Column("qid", TEXT, "the person's item in Wikidata", optional=True),
        Column("race", TEXT, "race that the ethnic groups on record stand for, in lower case", optional=True),
        Column("gender", TEXT, "gender on record: male, female or other", optional=True),
        Column("race_qids", TEXTS, "the ethnic groups on record (P172, best rank)"),
        Column("gender_qids", TEXTS, "the genders on record (P21, best rank)"),
        Column("aliases", TEXTS, "other names of the person: label and aliases, English and language-neutral"),
        Column(
            "birth_year",
            INTEGER,
            "year of birth on record (P569, best rank), where there is one alone",
            "year",
            optional=True,
        ),
        Column("sitelinks", INTEGER, "pages about the person in all Wikimedia projects", optional=True),
        Column("considered", TEXTS, "the candidates that were compared: the humans, then what is none"),
        Column("chosen_by", TEXT, "what decided between several humans: sitelinks or occupation; else empty"),
        Column("asked_at", TEXT, "when Wikidata was asked last about this author, UTC", optional=True),
        Column("reason", TEXT, "why a label is missing; empty if none is"),
    ),
)
