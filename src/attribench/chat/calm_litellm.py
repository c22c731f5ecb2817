"""litellm as this program wants it: nothing dropped in silence, no log of every call, no key in its log, few pauses."""

import gc
import logging

import litellm

from attribench.masking import without_secrets

litellm.suppress_debug_info = True
litellm.drop_params = False


class _WithoutSecrets(logging.Filter):
    """Take keys out of what litellm logs: some services repeat the one they were sent, and it logs that."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Change the record, and let it pass."""
        if record.exc_info and record.exc_info[1] is not None:
            record.msg = f"{record.getMessage()}: {record.exc_info[1]}"
            record.args = None
        record.msg, record.args = without_secrets(record.getMessage()), None
        record.exc_info = record.exc_text = None
        return True


_LOGGER = logging.getLogger("LiteLLM")
_LOGGER.setLevel(logging.WARNING)
_LOGGER.addFilter(_WithoutSecrets())

# Its import leaves 400,000 objects that stay to the end. A garbage collection that goes through them stops everything
# for up to 0.4 s, also the answers that wait to be stored.
gc.freeze()
