"""A resource of an event loop, such as a pool of connections: opened when first wanted, closed with the loop."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

T = TypeVar("T")


class PerLoop(Generic[T]):
    """Holds one resource for each running event loop.

    A task of the loop keeps it open. `asyncio.run` cancels that task at its end, while the loop
    still runs, so that connections are closed properly although whoever made this object, outside
    of the loop, knows nothing of it.
    """

    def __init__(self, opening: Callable[[], AbstractAsyncContextManager[T]]) -> None:
        """`opening` makes what opens and closes the resource."""
        self._opening = opening
        self._held: WeakKeyDictionary[asyncio.AbstractEventLoop, tuple[asyncio.Future[T], asyncio.Task[None]]]
        self._held = WeakKeyDictionary()

    async def get(self) -> T:
        """Return the resource of the running loop; raises what opening it raises."""
        loop = asyncio.get_running_loop()
        if loop not in self._held:
            ready: asyncio.Future[T] = loop.create_future()
            self._held[loop] = ready, loop.create_task(self._keep(ready))
        ready = self._held[loop][0]
        return ready.result() if ready.done() else await asyncio.shield(ready)

    async def _keep(self, ready: asyncio.Future[T]) -> None:
        try:
            async with self._opening() as resource:
                ready.set_result(resource)
                await asyncio.Event().wait()
        except Exception as error:
            if ready.done():
                raise
            ready.set_exception(error)
