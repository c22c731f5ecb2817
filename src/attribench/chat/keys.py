"""The keys of services, which come from the environment alone."""

import os

from attribench.errors import EndpointError


def key_of(variable: str | None, name: str) -> str:
    """Return the key in an environment variable, or "none" where no variable is named.

    Raises:
        EndpointError: the variable is not set.
    """
    if variable is None:
        return "none"
    if not os.environ.get(variable):
        raise EndpointError(
            f"{name} is asked with the key in the environment variable {variable}, but that is not set. "
            f"Set it (export {variable}=...) and start again."
        )
    return os.environ[variable]


def require_provider_key(name: str, model_id: str) -> None:
    """Raise EndpointError unless the key that the provider wants is in the environment."""
    import litellm

    missing = litellm.validate_environment(model_id).get("missing_keys") or []
    if missing:
        raise EndpointError(
            f"{name} ({model_id}) needs {' and '.join(missing)} in the environment, which is not set. "
            "Set it and start again; keys are never read from the configuration."
        )
