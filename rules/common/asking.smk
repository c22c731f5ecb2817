# What a job needs that asks a model, in whatever stage: the file that it serves, threads, graphics
# processors, and its share of what a provider allows.


def served_files(models):
    """Return the files of those models that a step serves itself."""
    endpoints = [model.endpoint for model in models.values()]
    return [
        f"resources/cache/models/{endpoint['file']}.gguf"
        for endpoint in endpoints
        if endpoint["kind"] == "gguf"
    ]


def model_file(wildcards):
    """Return the file that the model's step serves, or nothing for a model that runs elsewhere."""
    return served_files({wildcards.model: SETTINGS.models[wildcards.model]})


def threads_to_ask(models):
    """Return all cores where a step serves one of `models`, so that no two compete, else one per process that asks."""
    models = list(models)
    served = [
        model.endpoint
        for model in models
        if model.endpoint["kind"] in ("gguf", "command")
    ]
    if not served:
        return max((model.threads for model in models), default=1)
    # Without --cores, jobs run on other machines: each gets what its servers use.
    return workflow.resource_settings.cores or max(
        (
            endpoint["parallel"] * endpoint["threads"]
            if endpoint["kind"] == "gguf"
            else 8
        )
        for endpoint in served
    )


def gpus_to_ask(models):
    """Return the graphics processors of a job whose servers use them (Snakemake's resource `gpu`)."""
    wanted = max((model.endpoint.get("gpus", 0) for model in models), default=0)
    return {"gpu": wanted} if wanted else {}


def asking_threads(wildcards):
    """Return the threads of a job that asks the model of its wildcard."""
    return threads_to_ask([SETTINGS.models[wildcards.model]])


def api_resource(provider):
    """Return the name of the resource that the jobs which ask a provider share."""
    return re.sub(r"\W", "_", f"api_{provider}")


def api_resources(*providers):
    """Return the resources of a job that asks `providers`."""
    return {api_resource(name): 1 for name in providers if name in SETTINGS.limits}


def asking_resources(models):
    """Return for each provider with limits whether a job of one of `models`, by its wildcard, asks it live."""
    # A batch is waited for, up to a day: meanwhile it keeps no other model from its provider.
    return {
        api_resource(provider): lambda wildcards, provider=provider: int(
            models[wildcards.model].provider == provider
            and not models[wildcards.model].batch
        )
        for provider in SETTINGS.limits
    } | {
        name: lambda wildcards: models[wildcards.model].endpoint.get("gpus", 0)
        for name in gpus_to_ask(models.values())
    }


def files_by_model(models):
    """Return, by the name of each model that a step serves itself, the file that is served."""
    return {
        name: served_files({name: model})[0]
        for name, model in models.items()
        if served_files({name: model})
    }


def hosted(models):
    """Return those models that a provider hosts."""
    return {
        name: model
        for name, model in models.items()
        if model.endpoint["kind"] == "hosted"
    }


def preflight_of(wildcards):
    """Return what was found out about how a hosted model is asked; nothing for any other."""
    return (
        [ancient("results/evaluation/preflight.json")]
        if wildcards.model in hosted(SETTINGS.models)
        else []
    )


# The jobs that ask a provider with limits share them: so many at a time as the limits are parted for.
for provider, limit in SETTINGS.limits.items():
    workflow.register_resource(api_resource(provider), limit["jobs"])
