"""Inputs and results in a bucket: the same tables as on the disk, and nothing to do the second time."""

import logging
import shutil
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from moto.server import ThreadedMotoServer

DATASET = "intersectional"
BUCKET, RUN = "my-bucket", "my/run"
STORAGE = ["--default-storage-provider", "s3", "--default-storage-prefix", f"s3://{BUCKET}/{RUN}"]


@pytest.fixture
def bucket(workflow: Any, caplog: pytest.LogCaptureFixture) -> Iterator[Any]:
    """A bucket of moto's server with the inputs of `workflow`, which is told how to reach it."""
    caplog.set_level(logging.WARNING, "werkzeug")  # thousands of requests, each with a line
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    try:
        host, port = server.get_host_and_port()
        address, key = f"http://{host}:{port}", "planted"
        made = boto3.resource(
            "s3", endpoint_url=address, region_name="us-east-1", aws_access_key_id=key, aws_secret_access_key=key
        ).create_bucket(Bucket=BUCKET)
        for file in sorted((workflow.folder / "resources").rglob("*")):
            if file.is_file():
                made.upload_file(str(file), f"{RUN}/{file.relative_to(workflow.folder)}")
        how = {"ENDPOINT_URL": address, "ACCESS_KEY": key, "SECRET_KEY": key}
        workflow.environment |= {f"SNAKEMAKE_STORAGE_S3_{name}": value for name, value in how.items()}
        yield made
    finally:
        server.stop()


def test_a_data_set_is_made_in_a_bucket(workflow: Any, bucket: Any, with_dataset: Any) -> None:
    config = workflow.config
    config["datasets"] = {DATASET: config["datasets"][DATASET]}
    config["balance"]["jobs"] = 1  # which makes no difference, and one job less
    shutil.rmtree(workflow.folder / "resources/sample")  # it is in the bucket

    done = workflow.run("dataset", *STORAGE, config=config)
    assert done.code == 0, done.screen
    made = {item.key.removeprefix(f"{RUN}/"): item for item in bucket.objects.filter(Prefix=f"{RUN}/results/")}
    assert {f"results/balance/{DATASET}/{table}.parquet" for table in ("benchmark", "matchings")} <= set(made)
    for name, item in made.items():
        assert item.get()["Body"].read() == (with_dataset.folder / name).read_bytes(), name
    assert not list((workflow.folder / "results").rglob("*.*"))

    again = workflow.run("dataset", *STORAGE, config=config)
    assert "Nothing to be done" in again.screen, again.screen
    assert again.jobs == {}

    refused = workflow.run("estimate", *STORAGE, config=config)
    assert refused.code != 0
    assert "'estimate' looks for what is there already on this disk only" in refused.screen, refused.screen
    assert not refused.jobs
