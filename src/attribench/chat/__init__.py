"""Chat models, wherever they are: a file served here, a running server, a provider."""
