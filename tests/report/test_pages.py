"""The report's pages as a reader sees them, in a real browser: what is shown, sorted, and never run.

The browser is Chromium or Chrome, found on the path. Where there is none, these tests fail in continuous
integration (the variable CI is set), and elsewhere are skipped with a sentence that says what to install.
"""

import os
import shutil
from pathlib import Path

import pytest

from attribench.report import draw_results, show_model, write_report

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
# Chromium is asked to do nothing by itself: every look at the network would be a fault of a page.
QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
NO_BROWSER = (
    "no Chromium or Chrome was found on the path, so what the report shows cannot be looked at: "
    "install one, on Debian with 'apt-get install chromium'"
)
PHONE, DESK = 375, 1200  # pixels


@pytest.fixture(scope="module")
def browser():
    """A headless browser."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        pytest.fail(NO_BROWSER) if os.environ.get("CI") else pytest.skip(NO_BROWSER)
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=program, args=list(QUIET))
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def report(written_run, models, groups, tmp_path_factory) -> Path:
    """The folder of a report about three models, whose answers are hostile."""
    run = written_run(tmp_path_factory.mktemp("run"), models[:3], groups)
    draw_results.main(
        overall=run.folder / "analysis/overall.csv", subgroups=run.folder / "analysis/subgroups.csv",
        groups=groups, models=models[:3], prompts=["direct"], unanswered="exclude",
        figures=[run.folder / "report/figures/figure_4_overall_accuracy.png"],
    )  # fmt: skip
    steps = run.steps()
    show_model.main(**steps["show_model"])
    write_report.main(**steps["write_report"])
    return run.folder / "report"


class Shown:
    """A page that is open, with what it did that it should not."""

    def __init__(self, browser, path, width):
        self.page = browser.new_page(viewport={"width": width, "height": 800})
        self.faults = []
        self.page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        self.page.on("dialog", lambda dialog: self.faults.append(f"dialog: {dialog.message}"))
        self.page.on("console", lambda message: self.faults.append(f"console: {message.text}"))
        self.page.on("request", self.asked)
        self.path = path
        self.page.goto(path.as_uri())

    def asked(self, request):
        if request.url != self.path.as_uri() and not request.url.startswith("data:"):
            self.faults.append(f"asks for {request.url}")


@pytest.fixture
def show(browser):
    """Return a function that opens a page; at the end, no page may have done what it should not."""
    opened = []

    def open_page(path, width=DESK):
        opened.append(Shown(browser, path, width))
        return opened[-1].page

    yield open_page
    for shown in opened:
        assert shown.faults == []
        assert shown.page.evaluate("window.hacked") is None
        shown.page.close()


def column(page, number):
    return page.locator(f"#leaderboard tbody tr td:nth-child({number})").evaluate_all(
        "e => e.map(c => c.dataset.value)"
    )


def test_the_overview_comes_first_and_every_section_is_there(show, report):
    page = show(report / "index.html")
    headings = page.locator("h2").all_inner_texts()
    assert headings == [
        "Overview", "Data sets", "Accuracy", "Suppression", "Disparity", "Covariates", "Beside the paper", "Audit",
        "Spend", "Comparisons and self-test", "Models and manifest",
    ]  # fmt: skip
    links = page.locator("nav a").evaluate_all("e => e.map(a => a.getAttribute('href'))")
    assert all(page.locator(link).count() == 1 for link in links)
    table, picture = page.locator("#leaderboard").bounding_box(), page.locator("img").first.bounding_box()
    assert table["y"] < 800, "the leaderboard is on the first screen"
    assert table["y"] < picture["y"]
    assert "This run has no audit" in page.locator("#audit").inner_text()
    assert "no table of what the answers cost" in page.locator("#spend").inner_text()


def test_comparisons_and_the_self_test_are_shown_where_they_were_run(show, report):
    page = show(report / "index.html")
    compared, checked = page.locator("#on_demand table").all_inner_texts()
    assert "12.5\t10.0 to 15.0" in compared
    assert checked.splitlines()[-1] == "workflow\tb\t0\t0\tno"
    legends = page.locator("#on_demand .legend").all_inner_texts()
    assert "newer: first a <b>run</b>, second another." in legends[0]
    assert "1 of 2 checks hold" in legends[1]


def test_the_leaderboard_shows_intervals_and_the_papers_figures(show, report):
    page = show(report / "index.html")
    first = page.locator("#leaderboard tbody tr", has_text="gpt-5.1").filter(has_text="intersectional")
    direct = first.locator("td").nth(2)
    value = float(direct.get_attribute("data-value"))
    assert f"{value:.1f}" in direct.inner_text()
    assert f"{value - 1:.1f} to {value + 1:.1f}" in direct.inner_text()
    assert "paper: 26.7" in direct.inner_text()
    assert direct.locator("circle").count() == 1
    beside = page.locator("#paper").inner_text()
    assert "Section 5.2" in beside or page.locator("#paper details").count() == 1


def test_a_click_on_a_heading_sorts(show, report):
    page = show(report / "index.html")
    heading = page.locator("#leaderboard th", has_text="Omission suppression")
    place = 1 + page.locator("#leaderboard th").all_inner_texts().index(heading.inner_text())
    before = column(page, place)
    heading.locator("button").click()
    assert heading.get_attribute("aria-sort") == "descending"
    assert column(page, place) == sorted(before, key=float, reverse=True)
    heading.locator("button").press("Enter")
    assert column(page, place) == sorted(before, key=float)
    models = page.locator("#leaderboard th", has_text="Model")
    models.locator("button").click()
    assert column(page, 1) == sorted(column(page, 1))
    assert heading.get_attribute("aria-sort") is None
    assert len(column(page, 1)) == 3 * 2


@pytest.mark.parametrize("name", ["index.html", "models/gpt-5.1.html"])
def test_a_phone_shows_it_without_scrolling_sideways(show, report, name):
    page = show(report / name, PHONE)
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE
    for box in page.locator("img").evaluate_all("e => e.map(i => [i.naturalWidth, i.getBoundingClientRect().right])"):
        assert box[0] > 0, "the picture is there"
        assert box[1] <= PHONE


def test_what_a_model_says_is_shown_as_text(show, report):
    page = show(report / "models/gpt-5.1.html")
    answers = page.locator(".answer").all_inner_texts()
    assert len(answers) == 3 * 2 * 4, "three kinds, two data sets, four groups"
    assert all("<script>window.hacked = 1</script> said <img src=x onerror=" in answer for answer in answers)
    assert "Author <b>" in page.locator("#examples").inner_text()
    assert "<script>alert('w')</script>" in page.locator("#wrong").inner_text()
    assert "Served\ngpt-5.1-<2026>" in page.locator("header").inner_text()
    assert "The service <thinks>." in page.locator("header").inner_text()
    assert page.locator("#answers").is_visible(), "no answer ended an element"


def test_a_script_is_refused_even_where_it_is_not_escaped(browser, report, tmp_path):
    text = (report / "models/gpt-5.1.html").read_text(encoding="utf-8")
    broken = tmp_path / "broken.html"
    broken.write_text(text.replace("</main>", "<script>window.hacked = 3</script></main>"), encoding="utf-8")
    shown = Shown(browser, broken, DESK)
    assert shown.page.evaluate("window.hacked") is None
    assert "Content Security Policy" in "".join(shown.faults)
    shown.page.close()


def test_a_page_of_a_model_shows_its_parts(show, report):
    page = show(report / "models/gpt-5.1.html")
    assert page.locator("h1").inner_text() == "gpt-5.1: whom does it give credit to?"
    bars = page.locator("#outcomes .bar").first.locator("span").evaluate_all("e => e.map(s => s.offsetWidth)")
    assert sum(bars) == pytest.approx(256, abs=3), "the three outcomes fill the bar"
    assert "1.25 and 3 answers of unknown price" in page.locator("#answers").inner_text()
    assert "refused" in page.locator("#answers table").first.inner_text()
    assert page.locator("#heatmap img").count() == page.locator("#fame img").count() == 1
