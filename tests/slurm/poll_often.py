"""Snakemake as always, save that it looks at its Slurm jobs every second: its plugin has no setting for that."""

import sys

import snakemake_executor_plugin_slurm
from snakemake.cli import main

snakemake_executor_plugin_slurm.Executor.next_seconds_between_status_checks = property(
    lambda self: 1.0, lambda self, seconds: None
)
sys.argv[0] = "snakemake"
main()
