"""The embedding of quotes: fitted here (`lsa`), or by an embedding model that is asked."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from attribench.chat.identity import identity
from attribench.chat.keys import key_of, require_provider_key
from attribench.chat.prices import open_budget
from attribench.errors import EndpointError, MissingAnswersError
from attribench.evidence.lsa import Vectors
from attribench.evidence.lsa import embed as embed_by_lsa
from attribench.ledger.pace import Pace
from attribench.ledger.progress import Progress
from attribench.ledger.runner import Ask, ask_all
from attribench.ledger.store import Store
from attribench.step import screen


def embed(
    texts: Sequence[str], corpus: Sequence[str], *, settings: Mapping[str, Any], seed: int, store: Path
) -> Vectors:
    """Return the embedding of each of `texts`.

    Args:
        texts: the quotes.
        corpus: the texts that lsa is fitted on.
        settings: the section `evidence` of the configuration, and with it `budget_usd`.
        seed: for lsa.
        store: where the vectors of an embedding model are kept.

    Returns:
        An array of shape (texts, dimensions).

    Raises:
        EndpointError: the model cannot be asked, or its vectors differ in length.
        MissingAnswersError: some texts have no embedding after all attempts.
    """
    if settings["embedding"] == "lsa":
        return embed_by_lsa(corpus, texts, dimensions=settings["dimensions"], seed=seed)
    return _ask(texts, settings, store)


def _ask(texts: Sequence[str], settings: Mapping[str, Any], store: Path) -> Vectors:
    # It imports litellm, which takes seconds.
    from attribench.chat.embedding import embedding_question, from_text

    model = settings["embedding"]
    endpoint = identity(settings["endpoint"], None, model)
    questions = {text: embedding_question(endpoint, model, text) for text in texts}
    by_key = {question.key: question for question in questions.values()}
    with Store(store) as ledger:
        answers = ledger.answers(by_key)
        missing = [question for key, question in by_key.items() if key not in answers]
        progress = Progress(f"{model}, embeddings", len(by_key), screen(), stored=len(answers))
        if missing:
            asked = {"name": "evidence.embedding", "id": model, "endpoint": settings["endpoint"], "sampling": {}}
            with open_budget(asked, store, together=settings.get("budget_usd")) as budget:
                answers |= asyncio.run(
                    ask_all(
                        missing,
                        _asker(settings),
                        ledger,
                        concurrency=settings["concurrency"] * settings["texts_per_call"],
                        attempts=settings["attempts"],
                        progress=progress,
                        budget=budget,
                    )
                )
    failed = [answer.cause for answer in answers.values() if answer.status == "failed"]
    if failed:
        raise MissingAnswersError(
            f"{len(failed)} of {len(by_key)} quotes have no embedding by {model} (the first: {failed[0]}). The others "
            "are kept: start the same command again to ask for what is missing."
        )
    vectors = [from_text(answers[questions[text].key].text or "") for text in texts]
    lengths = sorted({len(vector) for vector in vectors})
    if len(lengths) > 1:
        raise EndpointError(
            f"The embeddings that {model} gave have different lengths, {' and '.join(map(str, lengths))}, so that "
            f"they cannot be compared: another model may have answered. Move {store} away to ask anew."
        )
    return np.stack(vectors)


def _asker(settings: Mapping[str, Any]) -> Ask:
    from attribench.chat.embedding import embedder

    endpoint, limits = settings["endpoint"], settings["limits"]
    url = key = None
    if endpoint["kind"] == "url":
        url, key = endpoint["url"], key_of(endpoint.get("key_variable"), settings["embedding"])
    else:
        require_provider_key("evidence.embedding", settings["embedding"])
    pace = Pace(
        min(settings["concurrency"], int(limits.get("concurrency", settings["concurrency"]))),
        requests_per_minute=limits.get("requests_per_minute"),
        tokens_per_minute=limits.get("tokens_per_minute"),
    )
    return embedder(url=url, key=key, timeout=settings["timeout"], texts_per_call=settings["texts_per_call"], pace=pace)
