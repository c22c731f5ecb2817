"""Whether the quotes themselves are alike, and what of a gap survives when they are made so."""

import numpy as np
import pandas as pd
import pytest

from attribench.analysis.adjusted import adjust, covariate_matrix
from attribench.analysis.covariate_balance import measure_balance
from attribench.analysis.measure_covariates import main, read_birth_years
from attribench.analysis.own_names import names_author, names_work
from attribench.analysis.quote_covariates import count_repeats
from attribench.analysis.reading_ease import count_syllables, reading_ease
from attribench.analysis.sensitivity import drop_matched
from attribench.analysis.topics import find_topics
from attribench.errors import InputError
from attribench.tables import read, write
from attribench.tables.balance import BENCHMARK, CANDIDATES, MATCHINGS
from attribench.tables.corpus import AUTHORS, QUOTES
from attribench.tables.covariates import COVARIATES, COVARIATES_OF_QUOTES
from attribench.tables.demographics import WIKIDATA
from attribench.tables.evidence import EMBEDDINGS

from .conftest import covariates_for, filled


@pytest.mark.parametrize(
    ("word", "n"),
    [
        ("the", 1), ("name", 1), ("named", 1), ("names", 1), ("table", 2), ("roses", 2), ("wanted", 2), ("called", 1),
        ("happiness", 3), ("rhythm", 1), ("don't", 1), ("philosophy", 4), ("hmm", 1),
    ],
)  # fmt: skip
def test_syllables_by_rule(word, n):
    assert count_syllables(word) == n


def test_reading_ease_by_hand():
    # 6 words, 1 sentence, 6 syllables.
    assert reading_ease("The cat sat on the mat.") == pytest.approx(206.835 - 1.015 * 6 - 84.6)
    assert reading_ease("The cat sat. On the mat!") == pytest.approx(206.835 - 1.015 * 3 - 84.6)
    assert reading_ease("1984 ...") is None
    assert reading_ease("Philosophical considerations necessitate deliberation.") < 0


@pytest.mark.parametrize(
    ("quote", "author", "aliases", "found"),
    [
        ("As Angelou once said, still I rise.", "Maya Angelou", [], True),
        ("Maya angelou is here", "Maya Angelou", [], True),
        ("The king is dead.", "Stephen King", [], False),
        ("The King is dead.", "Stephen King", [], False),
        ("I am Stephen King.", "Stephen King", [], True),
        ("Call me Twain.", "Samuel Clemens", ["Mark Twain"], True),
        ("An angelou-like voice", "Maya Angelou", [], False),
        ("Voltaire wrote it", "Voltaire", [], True),
        ("Davisons are many", "Angela Davison Jr.", [], False),
        ("Said C.S. Lewis", "C. S. Lewis", [], True),
    ],
)
def test_a_quote_that_names_its_author(quote, author, aliases, found):
    assert names_author(quote, author, aliases, frozenset({"king"})) is found


def test_a_quote_that_names_its_work():
    assert names_work("Read The Pillow Book, he said", "The Pillow Book") is True
    assert names_work("Emma was here", "Emma") is False, "one word is no sign"
    assert names_work("Anything", None) is None


def test_repeats_are_told_by_their_opening():
    corpus = pd.Series(
        ["One two three four five six seven eight NINE", "one, two three four five six seven eight - A.B."]
    )
    assert count_repeats(corpus)["one two three four five six seven eight"] == 2


def test_topics_are_clusters_of_the_embedding_named_by_their_words():
    rng = np.random.default_rng(1)
    texts = pd.Series(["the river runs, isn’t it, isn't it"] * 30 + ["a garden grows"] * 20)
    vectors = np.concatenate([rng.normal([1, 0], 0.05, (30, 2)), rng.normal([0, 1], 0.05, (20, 2))]).astype("float32")
    found = find_topics(texts, vectors, 2, 1)
    assert found.tolist() == ["1: river, runs"] * 30 + ["2: garden, grows"] * 20
    assert find_topics(texts, vectors, 2, 1).tolist() == found.tolist()
    assert set(find_topics(texts.head(3), vectors[:3], 8, 1)) == {"1"}, (
        "three quotes have one topic, of no typical word"
    )


def quotes_of(groups, **columns):
    table = pd.DataFrame({"quote_id": [f"q{i}" for i in range(len(groups))], "group": groups, **columns})
    return filled(table.assign(author_id="x", is_matched=True), COVARIATES_OF_QUOTES)


def balance(quotes, groups):
    rows = pd.DataFrame(measure_balance(quotes, groups, groups[0]))
    return rows.set_index(["covariate", "level", "group"])


def test_standardised_differences_by_hand():
    quotes = quotes_of(list("aaabbb"), words=[1, 2, 3, 2, 3, 4], topic=["1: x"] * 3 + ["2: y"] * 3)
    found = balance(quotes, ["a", "b"])
    assert found.loc["words", "", "b"]["smd"] == pytest.approx(1.0)  # means 2 and 3, both variances 1
    assert found.loc["words", "", "b"]["is_over_line"]
    assert found.loc["characters", "", "b"][["smd", "is_over_line"]].tolist() == [0.0, False]
    assert found.loc["topic", "2: y", "b"]["mean"] == 1.0
    assert "undefined" in found.loc["topic", "2: y", "b"]["note"]


def test_what_is_not_known_is_said():
    quotes = quotes_of(list("aabb"), birth_year=[np.nan] * 4, names_work=[True, None, False, False], topic=None)
    found = balance(quotes, ["a", "b"])
    assert found.loc["birth_year", "", "a"][["n_quotes", "n_unknown", "note"]].tolist() == [0, 2, "known of no quote"]
    assert found.loc["names_work", "", "a"][["n_quotes", "note"]].tolist() == [1, "one quote"]
    assert found.loc["topic", "", "a"]["note"] == (
        "an embedding model is asked for the quotes of data sets alone: only they have topics"
    )


def confounded(n=4000):
    """Answers that depend on the length of the quote alone; long quotes are commoner in group b."""
    rng = np.random.default_rng(2)
    group = rng.choice(["a", "b"], n)
    words = rng.integers(5, 20, n) + np.where(group == "b", 8, 0)
    value = (rng.random(n) < 1 / (1 + np.exp(-(words - 16) / 3))).astype(float)
    quotes = quotes_of(group, words=words, topic=None)
    cell = quotes[["quote_id", "group"]].assign(author_code=np.arange(n) // 2, value=value)
    return cell, quotes


def test_a_gap_that_is_one_of_length_vanishes_when_length_is_held():
    cell, quotes = confounded()
    rows = {row["adjustment"]: row for row in adjust(cell, covariate_matrix(quotes), ["a", "b"], "a")}
    means = cell.groupby("group")["value"].mean()
    assert rows["none"]["difference"] == pytest.approx(means["b"] - means["a"])
    assert rows["none"]["ci_low"] > 0.3
    assert rows["quotes"]["ci_low"] < 0 < rows["quotes"]["ci_high"]
    assert abs(rows["quotes"]["difference"]) < 0.03
    assert rows["quotes"]["log_odds_low"] < 0 < rows["quotes"]["log_odds_high"]


def test_models_that_cannot_be_fitted_say_why():
    cell, quotes = confounded(400)
    matrices = covariate_matrix(quotes)

    def notes(cell, reference="a"):
        return {row["adjustment"]: row["note"] for row in adjust(cell, matrices, ["a", "b"], reference)}

    constant = cell.assign(value=cell["value"].where(cell["group"] == "b", 0.0))
    assert set(notes(constant).values()) == {"no variance in a"}
    assert set(notes(constant, "b").values()) == {"no variance in a"}
    rare = cell.assign(value=[1.0 if i in (0, 1, 2, 3) else 0.0 for i in range(400)])
    if rare.groupby("group")["value"].max().min() > 0:
        assert "events are too few" in notes(rare)["quotes"]
    separated = cell.assign(value=(quotes["words"] > 15).astype(float).to_numpy())
    assert "cannot be fitted" in notes(separated)["quotes"]
    few = cell.head(6).assign(author_code=0)
    few["value"] = [0.0, 1.0] * 3
    assert all(note for note in notes(few).values())


def test_what_is_dropped_leaves_the_matchings_balanced():
    benchmark = pd.DataFrame(
        {
            "quote_id": [f"q{i}" for i in range(10)],
            "match_id": [0] * 6 + [1] * 2 + [2] * 2,
            "group": list("aaabbb") + list("ab") * 2,
        }
    )
    drop = benchmark["quote_id"].isin(["q0", "q6"])
    kept = drop_matched(benchmark, drop, ["a", "b"], np.random.default_rng(1))
    sizes = kept.groupby(["match_id", "group"]).size()
    assert sizes.to_dict() == {(0, "a"): 2, (0, "b"): 2, (2, "a"): 1, (2, "b"): 1}
    assert not kept["quote_id"].isin(["q0", "q6"]).any()


def test_the_sensitivity_run_leaves_out_quotes_that_name_their_author(simulate, summarise):
    answers, benchmark = simulate(np.random.default_rng(1), {"a": 0.2, "b": 0.3}, quotes_per_group=30)
    benchmark = benchmark.assign(author_id=benchmark["group"] + benchmark["match_id"].astype(str), log10_hits=4.0)
    naming = covariates_for(benchmark).assign(names_author=lambda t: t["quote_id"].isin(["jstet_0", "jstet_3"]))
    rows = summarise(answers, benchmark, ["a", "b"], covariates=naming)
    main_run = {(r["metric"], r["prompt"], r["evidence"], r["group"]): r for r in rows["subgroups"]}
    assert rows["sensitivity"]
    for row in rows["sensitivity"]:
        own = main_run[row["metric"], row["prompt"], row["evidence"], row["group"]]
        assert (row["variant"], row["mean_all"], row["n_quotes"]) == ("no_own_name", own["mean"], own["n_quotes"] - 1)


def write_inputs(folder, embedded):
    """Two candidates in each group, of whom one is matched, and a corpus in which one quote stands twice."""
    rows = [
        ("jstet_0", "ann-smith", "Ann Smith", "x", "A quote about the river and the sea."),
        ("jstet_1", "ann-smith", "Ann Smith", "x", "Another quote, of stones and of Smith."),
        ("jstet_2", "bo-jones", "Bo Jones", "y", "The moon is bright and the night is long tonight."),
        ("jstet_3", "cy-brown", "Cy Brown", "y", "Nothing is said here that is not a lie."),
    ]
    table = pd.DataFrame(rows, columns=["quote_id", "author_id", "author", "group", "quote"]).assign(
        n_words=9, log10_hits=4.0, work=["The River", None, None, None], aliases=[[]] * 4, match_id=0
    )
    matched = table[table["quote_id"].isin(["jstet_0", "jstet_2"])]
    write(filled(matched.drop(columns="work"), BENCHMARK), folder / "benchmark.parquet", BENCHMARK)
    names = {c.name for c in MATCHINGS.columns}
    authors = matched[[c for c in matched if c in names]].assign(is_reference=[True, False])
    write(filled(authors, MATCHINGS), folder / "matchings.parquet", MATCHINGS)
    people = table.drop_duplicates("author_id")
    write(
        filled(people[["author_id", "author", "group", "log10_hits"]], CANDIDATES),
        folder / "candidates.parquet",
        CANDIDATES,
    )
    write(filled(people[["author_id", "author"]], AUTHORS), folder / "authors.parquet", AUTHORS)
    write(table[QUOTES.names], folder / "quotes.parquet", QUOTES)
    known = ["jstet_0", "jstet_2", "jstet_1", "jstet_3"][:embedded]
    vectors = pd.DataFrame({"quote_id": known, "vector": [np.float32([i % 2, 1]) for i in range(embedded)]})
    write(vectors, folder / "embeddings.parquet", EMBEDDINGS)
    corpus = pd.DataFrame({"quote": [*table["quote"], "THE MOON IS BRIGHT and the night is long - Bo"]})
    corpus.assign(author="x", category="y").to_csv(folder / "corpus.csv", index=False)
    (folder / "words.txt").write_text("brown\n")
    (folder / "years.csv").write_text("name,birth_year\nANN SMITH,1850\nBo Jones,\nCy Brown,-40\nCy Brown,10\n")


def run_step(folder, built=("d",), embedded=2, wikidata=()):
    write_inputs(folder, embedded)
    main(
        benchmarks=[folder / "benchmark.parquet"], matchings=[folder / "matchings.parquet"],
        embeddings=[folder / "embeddings.parquet"], candidates=[folder / "candidates.parquet"] if built else [],
        corpus=[folder / "quotes.parquet", folder / "authors.parquet", folder / "corpus.csv"] if built else [],
        words=[folder / "words.txt"], birth_years=[folder / "years.csv"], groups={"d": ["x", "y"]}, built=list(built),
        wikidata=list(wikidata),
        topics=2, seed=1, covariates_of_quotes=folder / "of_quotes.parquet", covariates=folder / "covariates.csv",
    )  # fmt: skip
    return read(folder / "of_quotes.parquet", COVARIATES_OF_QUOTES), read(folder / "covariates.csv", COVARIATES)


def test_the_step_compares_candidates_and_matched_quotes(tmp_path):
    quotes, covariates = run_step(tmp_path)
    quotes = quotes.set_index("quote_id")
    assert quotes["is_matched"].to_dict() == {"jstet_0": True, "jstet_1": False, "jstet_2": True, "jstet_3": False}
    assert quotes["names_author"].to_dict() == {"jstet_0": False, "jstet_1": True, "jstet_2": False, "jstet_3": False}
    assert quotes["elsewhere"].to_dict() == {"jstet_0": 0, "jstet_1": 0, "jstet_2": 1, "jstet_3": 0}
    assert quotes["names_work"].dropna().to_dict() == {"jstet_0": True}
    assert quotes["birth_year"].dropna().to_dict() == {"jstet_0": 1850.0, "jstet_1": 1850.0}, "two years are no year"
    assert quotes["topic"].isna().to_dict() == {"jstet_0": False, "jstet_1": True, "jstet_2": False, "jstet_3": True}
    topics = covariates[covariates["covariate"] == "topic"].set_index("matching")
    assert topics.loc["before", "level"].isna().all() or (topics.loc["before", "level"] == "").all()
    assert topics.loc["before", "note"].str.contains("only they have topics").all(), "half of them are not known"
    assert topics.loc["after", "n_unknown"].eq(0).all()
    n = covariates[covariates["covariate"] == "words"].set_index(["matching", "group"])["n_quotes"]
    assert n.to_dict() == {("before", "x"): 2, ("before", "y"): 2, ("after", "x"): 1, ("after", "y"): 1}


def test_a_year_that_the_users_file_lacks_is_that_on_record(tmp_path):
    on_record = pd.DataFrame({"author_id": ["ann-smith", "bo-jones", "cy-brown"], "birth_year": [1900, -300, None]})
    write(filled(on_record, WIKIDATA), tmp_path / "wikidata.parquet", WIKIDATA)
    quotes, _ = run_step(tmp_path, wikidata=[tmp_path / "wikidata.parquet"])
    found = quotes.set_index("quote_id")["birth_year"].dropna()
    assert found.to_dict() == {"jstet_0": 1850.0, "jstet_1": 1850.0, "jstet_2": -300.0}


def test_topics_are_known_before_matching_where_all_quotes_are_embedded(tmp_path):
    quotes, covariates = run_step(tmp_path, embedded=4)
    assert quotes["topic"].eq("1").all(), "four quotes have one topic"
    before = covariates[(covariates["covariate"] == "topic") & (covariates["matching"] == "before")]
    assert before[["n_quotes", "n_unknown", "level", "mean"]].to_numpy().tolist() == [[2, 0, "1", 1.0]] * 2


def test_a_benchmark_that_is_handed_in_is_known_after_matching_only(tmp_path):
    quotes, covariates = run_step(tmp_path, built=())
    assert set(covariates["matching"]) == {"after"}
    assert quotes["is_matched"].all()
    assert quotes["elsewhere"].isna().all()
    assert set(covariates[covariates["covariate"] == "elsewhere"]["note"]) == {"known of no quote"}


def test_years_that_are_no_years(tmp_path):
    file = tmp_path / "years.csv"
    file.write_text("name,year\na,1\n")
    with pytest.raises(InputError, match=r"'analysis.birth_years' needs name and birth_year"):
        read_birth_years(file)
    file.write_text("name,birth_year\nAnn,soon\n")
    with pytest.raises(InputError, match="the birth_year of Ann is 'soon'"):
        read_birth_years(file)
