"""Chat and embedding models, wherever they are: a file or a command served here, a running server, a provider."""

import os

# Otherwise the import of litellm waits for a price list from the network.
os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
