"""Questions through a provider's batch endpoint: submit, wait, read, ask again for what is missing.

A batch is in the store before it is waited for, so that whoever is killed meanwhile goes on waiting
for the same one, and pays once. Answers are those that live calls would bring, under the same keys.
"""

import asyncio
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

from attribench.chat.batch_service import BatchGoneError, BatchService, chunks, in_form_of_openai
from attribench.chat.prices import Price, price_of
from attribench.chat.reply import failure, filtered, is_filtered, read_reply
from attribench.errors import BudgetError, EndpointError
from attribench.ledger.batches import Batches, OpenBatch
from attribench.ledger.budget import Budget
from attribench.ledger.progress import Progress
from attribench.ledger.runner import MOST_IN_VAIN, CallFailedError
from attribench.ledger.store import Answer, Question, Store
from attribench.masking import without_secrets

_OVER = ("completed", "expired", "cancelled", "failed")


async def ask_in_batches(
    questions: Sequence[Question],
    model: Mapping[str, Any],
    store: Store,
    path: Path,
    *,
    progress: Progress,
    stream: TextIO,
    budget: Budget | None = None,
) -> dict[str, Answer]:
    """Ask every question in batches, each of them at most `model["attempts"]` times.

    Args:
        questions: each once.
        model: the fields of `attribench.settings.Model`.
        store: the open store, which gets the answers.
        path: its file.
        progress: counts the answers.
        stream: where it is said which batches there are.
        budget: what may be spent; what it does not allow now waits for what is under way.

    Returns:
        The answers by key; those without a final answer have the status failed and are not stored.

    Raises:
        EndpointError: the provider refuses a batch, or cannot be reached for long. Batches that are
            under way are found again by the next run.
        BudgetError: `budget` allows nothing more, and nothing is under way.
    """
    service = BatchService(model)
    work = _Work(questions, service, store, model, price_of(model), progress, budget, stream)
    with Batches(path) as batches:
        unreachable = 0
        while True:
            store.flush()
            under_way = batches.open()
            sent = {key for batch in under_way for key in batch.keys}
            to_send = [question for key, question in work.left.items() if key not in sent]
            to_send = work.affordable(to_send, batches, under_way)
            for part, lines in chunks(to_send, service.line):
                under_way.append(batches.add(await service.upload(lines), part))
            over = 0
            for place, batch in enumerate(under_way):
                if batch.batch_id is None:
                    try:
                        under_way[place] = batches.name(batch, await service.make(batch.file_id))
                    except BatchGoneError as error:
                        over += 1
                        work.give_up(batch, error, batches)
                        continue
                    said = f"batch {under_way[place].batch_id} with {len(batch.keys)} questions is submitted"
                    print(
                        f"{model['name']}: {said}; it can take a day, and is found again after a restart", file=stream
                    )
            if not under_way and not work.left:
                return work.answers
            for batch in under_way:
                if batch.batch_id is None:
                    continue
                try:
                    state = await service.look(batch.batch_id)
                    unreachable = 0
                except BatchGoneError as error:
                    over += 1
                    work.give_up(batch, error, batches)
                    continue
                except CallFailedError as error:
                    unreachable += 1
                    if unreachable == MOST_IN_VAIN:
                        raise EndpointError(
                            f"The batches of {model['name']} could not be looked at {unreachable} times in a row "
                            f"({error}). They go on: start the same command again later to fetch the answers."
                        ) from error
                    continue
                if state.status in _OVER:
                    over += 1
                    await work.read(batch, state, batches)
            if not over:
                await asyncio.sleep(model["batch_poll"])


class _Work:
    """What is left to ask, and what was answered."""

    def __init__(
        self,
        questions: Sequence[Question],
        service: BatchService,
        store: Store,
        model: Mapping[str, Any],
        price: Price | None,
        progress: Progress,
        budget: Budget | None,
        stream: TextIO,
    ) -> None:
        self.left = {question.key: question for question in questions}
        self.answers: dict[str, Answer] = {}
        self._tries: Counter[str] = Counter()
        self._service, self._store, self._model = service, store, model
        self._price, self._progress, self._budget, self._stream = price, progress, budget, stream
        self._reserved: dict[str, float] = {}

    def affordable(
        self, questions: Sequence[Question], batches: Batches, under_way: Sequence[OpenBatch]
    ) -> list[Question]:
        """Return those of the first questions that the budget has money for, after what is under way."""
        if self._budget is None:
            return list(questions)
        for batch in under_way:
            if not batch.keys <= self._reserved.keys():  # of an earlier run
                for key, question in batches.questions(batch).items():
                    try:
                        self._reserved[key] = self._budget.reserve_now(question) or 0.0
                    except BudgetError:  # it is paid for already: its answers are fetched all the same
                        self._reserved[key] = 0.0
        found: list[Question] = []
        for question in questions:
            try:
                usd = self._budget.reserve_now(question)
            except BudgetError as error:
                if found or under_way:
                    break
                raise BudgetError(
                    f"{error} {len(self.left)} questions have no answer yet. What was answered is kept: raise the "
                    "budget and start the same command again to ask for the rest."
                ) from None
            if usd is None:
                break
            self._reserved[question.key] = usd
            found.append(question)
        return found

    def _settle(self, question: Question, cost: float | None) -> None:
        if self._budget is not None:
            self._budget.settle(self._reserved.pop(question.key, 0.0), cost)

    async def read(self, batch: OpenBatch, state: Any, batches: Batches) -> None:
        """Store the answers of a batch that is over, and count what it did not answer as one attempt.

        Its output and its error file are joined by the keys of the questions; its own counts are
        not relied on.
        """
        questions = batches.questions(batch)
        lines: list[dict[str, Any]] = []
        gone: BatchGoneError | None = None
        for file_id in filter(None, (state.output_file_id, state.error_file_id)):
            try:
                lines += await self._service.download(file_id)
            except BatchGoneError as error:
                gone = error
        fatal: EndpointError | None = None
        for line in lines:
            question = questions.pop(str(line.get("custom_id")), None)
            if question is None:
                continue
            self._tries[question.key] += 1
            try:
                self._answered(question, self._answer(line))
            except CallFailedError as error:
                self._failed(question, error)
            except EndpointError as error:
                fatal = error
        if gone and questions:
            self._gone(questions.values(), gone)
        elif state.status == "failed" and not lines:
            fatal = EndpointError(
                f"The provider of {self._model['id']} refused the batch {batch.batch_id} as a whole: {_reasons(state)} "
                "Nothing of it was answered. Correct what it names, or leave out 'batch', and start again."
            )
        elif state.status != "failed":
            for question in questions.values():
                self._tries[question.key] += 1
                ended = f"The batch {batch.batch_id} ended ({state.status}) without a line for this question."
                again = state.status != "cancelled"
                cause = "batch_incomplete" if again else "batch_cancelled"
                self._failed(question, CallFailedError(cause, ended, again=again))
        self._store.flush()
        batches.close(batch, "gone" if gone and questions else state.status)
        if fatal:
            raise fatal

    def give_up(self, batch: OpenBatch, error: BatchGoneError, batches: Batches) -> None:
        """Close a batch that the provider no longer has, and count it as one attempt."""
        self._gone(batches.questions(batch).values(), error)
        self._store.flush()
        batches.close(batch, "gone")

    def _gone(self, questions: Collection[Question], error: BatchGoneError) -> None:
        said = f"{error} Its {len(questions)} questions are asked anew, but for those without attempts left."
        print(f"{self._model['name']}: {said}", file=self._stream)
        for question in questions:
            self._tries[question.key] += 1
            self._failed(question, CallFailedError("batch_gone", str(error), again=True, cost=error.cost))

    def _answered(self, question: Question, answer: Answer) -> None:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        answer = replace(answer, attempts=max(1, self._tries[question.key]), asked_at=now)
        self._store.add(question, answer)
        self._settle(question, answer.cost)
        if self.left.pop(question.key, None):  # else of another data set, or of an earlier configuration
            self.answers[question.key] = answer
            tokens = (answer.prompt_tokens or 0) + (answer.completion_tokens or 0)
            self._progress.add(cost=answer.cost, tokens=tokens)

    def _failed(self, question: Question, error: CallFailedError) -> None:
        paid = self._reserved.get(question.key) if error.cost is None else error.cost
        self._store.add_attempt(question, error.cause, str(error), paid)
        self._settle(question, error.cost)
        tries = self._tries[question.key]
        if error.again and tries < self._model["attempts"]:
            return
        if self.left.pop(question.key, None):
            self.answers[question.key] = Answer("failed", cause=error.cause, attempts=tries)
            self._progress.add(failed=True)

    def _answer(self, line: Mapping[str, Any]) -> Answer:
        """Return the answer in a line of an output or error file; raises as a live call does."""
        response = line.get("response") or {}
        body = response.get("body") or {}
        body = body if isinstance(body, Mapping) else {}
        status = response.get("status_code") or 0
        error = body.get("error") or line.get("error") or {}
        if status == 200 and not (error and not body.get("choices")):
            answer = read_reply(in_form_of_openai(body), None)
            if self._price and answer.prompt_tokens is not None and answer.completion_tokens is not None:
                cost = self._price.of(answer.prompt_tokens, answer.completion_tokens) + self._price.call_high
                return replace(answer, cost=cost)
            return answer
        error = error if isinstance(error, Mapping) else {"message": error}
        code, message = str(error.get("code") or error.get("type") or ""), str(error.get("message") or "no message")
        message = without_secrets(f"HTTP {status}: {message}")
        if is_filtered(status, code, message):
            return filtered(message)
        if not status or status == 200:
            raise CallFailedError("no_choice", message, again=True)
        raise failure(self._model["id"], status, code, message)


def _reasons(state: Any) -> str:
    found = getattr(getattr(state, "errors", None), "data", None) or []
    told = [f"line {e.line}: {e.message}" if e.line else str(e.message) for e in found]
    more = f" (and {len(told) - 3} more)" if len(told) > 3 else ""
    return without_secrets("; ".join(told[:3]) + more + "." if told else "it does not say why.")
