# Figures and tables as Snakemake's own report has them, and that report.

from snakemake.settings.types import GlobalReportSettings
from snakemake_interface_report_plugins.registry import ReportPluginRegistry

from attribench.report.contents import FIGURES, TABLES, TITLES

# Whole, since Snakemake takes a path as seen from the file of the rule, wherever that is.
CAPTIONS = f"{workflow.basedir}/resources/captions"


def figure(name):
    """Return a figure's file, for Snakemake's report too."""
    section, label = FIGURES[name]
    return report(
        f"results/report/figures/{name}.png",
        caption=f"{CAPTIONS}/{name}.rst",
        category=TITLES[section],
        labels={"figure": label},
    )


def table(name, caption=None):
    """Return a table's CSV, for Snakemake's report too."""
    section, label = TABLES.get(name, ("accuracy", name.replace("_", ": ")))
    return report(
        f"results/report/tables/{name}.csv",
        caption=f"{CAPTIONS}/{caption or name}.rst",
        category=TITLES[section],
        labels={"table": label},
    )


def beside(files, *formats):
    """Return files of the same names in other formats."""
    return [str(Path(file).with_suffix(f".{f}")) for file in files for f in formats]


def write_workflow_report(path):
    """Write Snakemake's own report, as `snakemake --report` does."""
    reporter = ReportPluginRegistry().get_plugin("html")
    settings = reporter.settings_cls(path=Path(path))
    workflow.create_report(reporter, settings, GlobalReportSettings())
