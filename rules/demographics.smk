# What race and gender is each author recorded with, and by which source?
#
# In:  results/corpus/authors.parquet; what the sources need (published: the published universe;
#      wikidata: a contact; consensus: two models and their keys)
# Out: results/demographics/labels.parquet; for whoever checks it, validation_sheet.csv

LABEL_SOURCES = SETTINGS.demographics["sources"]
BEFORE_CONSENSUS = (
    LABEL_SOURCES[: LABEL_SOURCES.index("consensus")]
    if "consensus" in LABEL_SOURCES
    else []
)
WIKIDATA = (
    ["results/demographics/wikidata.parquet"] if "wikidata" in LABEL_SOURCES else []
)
# What is known of the labels before the models are asked, as far as it can be known without asking Wikidata.
LABELS_BEFORE = ["results/demographics/labels_before_consensus.parquet"]
LABELS_FOR_NOTHING = LABELS_BEFORE if BEFORE_CONSENSUS == ["published"] else []
LABELS_THERE = (
    LABELS_BEFORE if BEFORE_CONSENSUS and Path(LABELS_BEFORE[0]).is_file() else []
)
UNIVERSE = [SETTINGS.published_universe] if SETTINGS.published_universe else []


rule label_authors:
    """Combine what the sources say of race and gender of every author, in their order."""
    input:
        authors="results/corpus/authors.parquet",
        universe=UNIVERSE,
        wikidata=WIKIDATA,
        labeller_answers=(
            ["results/demographics/labeller_answers.parquet"]
            if "consensus" in LABEL_SOURCES
            else []
        ),
    output:
        labels="results/demographics/labels.parquet",
    log:
        "logs/demographics/label_authors.log",
    benchmark:
        "benchmarks/demographics/label_authors.tsv"
    conda:
        "../envs/demographics.yaml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        sources=LABEL_SOURCES,
        code=code("demographics/label_authors.py"),
    message:
        "Labelling the authors, sources in order: {params.sources}"
    script:
        "../src/attribench/demographics/label_authors.py"


rule look_up_wikidata:
    """Look up every author in Wikidata; whatever the ledger holds is not asked again."""
    input:
        authors="results/corpus/authors.parquet",
        ethnic_groups=SETTINGS.demographics["ethnic_groups"],
    output:
        wikidata="results/demographics/wikidata.parquet",
    log:
        "logs/demographics/look_up_wikidata.log",
    benchmark:
        "benchmarks/demographics/look_up_wikidata.tsv"
    conda:
        "../envs/demographics.yaml"
    threads: 1
    resources:
        mem_mb=growing(4000),
        runtime=2880,
    params:
        **SETTINGS.demographics["wikidata"],
        store="resources/cache/demographics/wikidata.sqlite",
        code=code("demographics/look_up_wikidata.py"),
    message:
        "Looking up the authors in Wikidata"
    script:
        "../src/attribench/demographics/look_up_wikidata.py"


rule label_before_consensus:
    """Combine what the sources that come before the two models say."""
    input:
        authors="results/corpus/authors.parquet",
        universe=UNIVERSE,
        wikidata=WIKIDATA if "wikidata" in BEFORE_CONSENSUS else [],
        labeller_answers=[],
    output:
        labels="results/demographics/labels_before_consensus.parquet",
    log:
        "logs/demographics/label_before_consensus.log",
    benchmark:
        "benchmarks/demographics/label_before_consensus.tsv"
    conda:
        "../envs/demographics.yaml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        sources=BEFORE_CONSENSUS,
        code=code("demographics/label_authors.py"),
    message:
        "Labelling the authors, sources before the models: {params.sources}"
    script:
        "../src/attribench/demographics/label_authors.py"


rule ask_labellers:
    """Ask two models for race and gender of the authors whom no earlier source knows."""
    input:
        authors="results/corpus/authors.parquet",
        labelled=(
            ["results/demographics/labels_before_consensus.parquet"]
            if BEFORE_CONSENSUS
            else []
        ),
        wikidata=WIKIDATA if "wikidata" in BEFORE_CONSENSUS else [],
        choices=SETTINGS.demographics["consensus"]["choices"],
        model_files=served_files(SETTINGS.labellers),
    output:
        answers="results/demographics/labeller_answers.parquet",
        agreement="results/demographics/agreement.csv",
    log:
        "logs/demographics/ask_labellers.log",
    benchmark:
        "benchmarks/demographics/ask_labellers.tsv"
    conda:
        "../envs/demographics.yaml"
    threads: threads_to_ask(SETTINGS.labellers.values())
    resources:
        **api_resources(*[model.provider for model in SETTINGS.labellers.values()]),
        mem_mb=growing(2000),
        runtime=10080,
    params:
        labellers=[asdict(model) for model in SETTINGS.labellers.values()],
        max_requests=SETTINGS.demographics["consensus"]["max_requests"],
        max_missing=SETTINGS.demographics["consensus"]["max_missing"],
        budget_usd=SETTINGS.budget_usd,
        seed=SETTINGS.seed,
        store="resources/cache/demographics",
        code=code("demographics/ask_labellers.py"),
    message:
        "Asking two models for labels"
    script:
        "../src/attribench/demographics/ask_labellers.py"


rule estimate_labels:
    """Say what asking the two models for labels would cost; asks nobody."""
    input:
        authors="results/corpus/authors.parquet",
        labelled=LABELS_FOR_NOTHING,
        choices=SETTINGS.demographics["consensus"]["choices"],
    output:
        estimate="results/demographics/estimate.csv",
    log:
        "logs/demographics/estimate_labels.log",
    benchmark:
        "benchmarks/demographics/estimate_labels.tsv"
    conda:
        "../envs/demographics.yaml"
    threads: 1
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        labelled=LABELS_FOR_NOTHING or LABELS_THERE,
        all_authors=bool(BEFORE_CONSENSUS and not LABELS_FOR_NOTHING + LABELS_THERE),
        model_files=files_by_model(SETTINGS.labellers),
        labellers=[asdict(model) for model in SETTINGS.labellers.values()],
        max_requests=SETTINGS.demographics["consensus"]["max_requests"],
        seed=SETTINGS.seed,
        store="resources/cache/demographics",
        stored=state_of("demographics/*.sqlite"),
        code=code("demographics/estimate_labels.py"),
    message:
        "Estimating what the labels cost"
    script:
        "../src/attribench/demographics/estimate_labels.py"


rule draw_validation_sheet:
    """Draw a sample of authors whose labels a person checks, and make the sheet for it."""
    input:
        labels="results/demographics/labels.parquet",
    output:
        sample="results/demographics/validation_sample.csv",
        sheet="results/demographics/validation_sheet.csv",
    log:
        "logs/demographics/draw_validation_sheet.log",
    benchmark:
        "benchmarks/demographics/draw_validation_sheet.tsv"
    conda:
        "../envs/demographics.yaml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        groups=[
            labels
            for dataset in SETTINGS.datasets.values()
            for labels in dataset.groups.values()
        ],
        sample_size=SETTINGS.demographics["validation"]["sample"],
        seed=SETTINGS.seed,
        code=code("demographics/draw_validation_sheet.py"),
    message:
        "Drawing {params.sample_size} authors whose labels a person checks"
    script:
        "../src/attribench/demographics/draw_validation_sheet.py"


rule score_validation:
    """Score the labels by the sheet that a person filled in."""
    input:
        sample="results/demographics/validation_sample.csv",
        filled_sheet=SETTINGS.demographics["validation"]["sheet"],
        choices=SETTINGS.demographics["consensus"]["choices"],
    output:
        validation="results/demographics/validation.csv",
    log:
        "logs/demographics/score_validation.log",
    benchmark:
        "benchmarks/demographics/score_validation.tsv"
    conda:
        "../envs/demographics.yaml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        code=code("demographics/score_validation.py"),
    message:
        "Scoring the labels by {input.filled_sheet}"
    script:
        "../src/attribench/demographics/score_validation.py"
