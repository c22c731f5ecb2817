# The embedding that evidence is found with: its settings, and where it is kept.

EMBEDDING_SETTINGS = {
    key: value for key, value in SETTINGS.evidence.items() if key != "k"
}
if SETTINGS.evidence["embedding"] != "lsa":
    EMBEDDING_SETTINGS["budget_usd"] = SETTINGS.budget_usd
# What asks an embedding model changes nothing where none is asked.
NOT_FOR_EMBEDDING = (
    ("chat", "ledger") if SETTINGS.evidence["embedding"] == "lsa" else ()
)
EMBEDDING_STORE = "resources/cache/evidence/{}.sqlite".format(
    re.sub(r"[^A-Za-z0-9.-]+", "_", SETTINGS.evidence["embedding"])
)


def embeddings_file(dataset):
    """Return the file with the embeddings of a data set's quotes."""
    own = f"results/evidence/{dataset}/embeddings.parquet"
    return own if dataset in HANDED_IN else "results/evidence/embeddings.parquet"


def embeddings_of(wildcards):
    """Return the same as an input function."""
    return embeddings_file(wildcards.dataset)


def corpus_of_evidence(wildcards):
    """Return the corpus where a data set's evidence is found in all of it, else nothing."""
    return (
        ["results/corpus/quotes.parquet"]
        if SETTINGS.evidence["pool"] == "corpus"
        else []
    )
