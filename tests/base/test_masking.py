"""No key of the environment passes, in whatever form a service repeats it; nothing else is touched."""

import base64
import html
import json
import logging
import re
from urllib.parse import quote, quote_plus

import pytest

from attribench.masking import SHORTEST, WithoutSecrets, without_secrets

KEYS = ["sk-proj-Planted_0123456789", 'pl/an+t&ed "k\\ey" =ü€😀 <end>', "PlantedWithout9Signs"]


def in_base64(secret: str) -> list[str]:
    """Return the secret in base64 alone, and as the password behind logins of one, two and three characters."""
    plain = [f"{login}:{secret}:rest".encode() for login in ("ab", "abc", "abcd")]
    return [
        f(data).decode() for data in [secret.encode(), *plain] for f in (base64.b64encode, base64.urlsafe_b64encode)
    ]


FORMS = {
    "as it is": str,
    "in a URL": lambda key: quote(key, safe=""),
    "in a path": quote,
    "in a form": quote_plus,
    "in a URL, small letters": lambda key: re.sub("%..", lambda code: code[0].lower(), quote(key, safe="")),
    "in a URL in a URL": lambda key: quote(quote(key, safe=""), safe=""),
    "in JSON": json.dumps,
    "in JSON as it is": lambda key: json.dumps(key, ensure_ascii=False),
    "in JSON with slashes": lambda key: json.dumps(key).replace("/", "\\/"),
    "in JSON in JSON": lambda key: json.dumps(json.dumps(key)),
    "in Python": repr,
    "in a list in Python": lambda key: repr(repr([key])),
    "in HTML": html.escape,
}


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("form", FORMS)
def test_a_key_is_replaced_by_the_name_of_its_variable(form: str, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    said = f"Wrong key {FORMS[form](key)}, says the service."
    assert without_secrets(said) == said, "it is no key of this environment"
    monkeypatch.setenv("SOME_API_KEY", key)
    without_quotes = re.sub(r"[\"'\\\[\]]", "", without_secrets(said))
    assert without_quotes == "Wrong key (SOME_API_KEY), says the service."


@pytest.mark.parametrize("key", KEYS)
def test_a_key_in_base64_goes_with_all_that_follows(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", key)
    for form in in_base64(key):
        for said in (form, json.dumps(form).replace("/", "\\/"), quote(form, safe="")):
            left, right = without_secrets(f"Basic <{said}> refused").split("(SOME_API_KEY)")
            assert right.strip('"') == "> refused"
            assert len(left) <= len('Basic <"YWJjZD') + 2, "of what stands before the key, no more than it is"


def test_login_and_password_of_basic_authentication_go_together(monkeypatch: pytest.MonkeyPatch) -> None:
    login, password = "someone@university.edu", "planted-0123"
    monkeypatch.setenv("DATAFORSEO_LOGIN", login)
    monkeypatch.setenv("DATAFORSEO_PASSWORD", f" {password}\n")
    token = base64.b64encode(f"{login}:{password}".encode()).decode()
    assert without_secrets(f"{login} with {password}") == "(DATAFORSEO_LOGIN) with (DATAFORSEO_PASSWORD)"
    assert without_secrets(f"Authorization: Basic {token}.") == "Authorization: Basic (DATAFORSEO_LOGIN)."


def test_a_token_that_stands_alone_in_an_address_is_a_key_and_a_name_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UPSTREAM", "https://glpat-0123456789abcdef@git.university.edu/poems.git")
    monkeypatch.setenv("DATABASE", "postgres://attribench@db.university.edu/answers")
    said = "attribench: 403 for https://glpat-0123456789abcdef@git.university.edu/poems.git"
    assert without_secrets(said) == "attribench: 403 for https://(UPSTREAM)@git.university.edu/poems.git"


def test_the_password_of_a_proxy_is_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://me:pass%2Fword-1@proxy.university.edu:3128")
    said = "Cannot connect to http://me:pass%2Fword-1@proxy.university.edu:3128 (pass/word-1)"
    assert (
        without_secrets(said) == "Cannot connect to http://me:(HTTPS_PROXY)@proxy.university.edu:3128 ((HTTPS_PROXY))"
    )


def test_the_longer_key_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIRST_KEY", "planted-0123")
    monkeypatch.setenv("SECOND_KEY", "planted-0123-and-more")
    assert without_secrets("planted-0123-and-more, planted-0123") == "(SECOND_KEY), (FIRST_KEY)"


@pytest.mark.parametrize(
    "name", ["AWS_ACCESS_KEY_ID", "AWS_BEARER_TOKEN_BEDROCK", "HF_TOKEN", "some_apikey", "MY_PASSWD"]
)
def test_names_of_variables_with_keys(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "planted-0123")
    assert without_secrets("planted-0123") == f"({name})"


@pytest.mark.parametrize(
    ("name", "value"),
    [("SOME_KEY", "x" * (SHORTEST - 1)), ("TOKENIZERS_PARALLELISM", "planted-0123"), ("SOME_KEY", "")],
)
def test_what_is_no_key_stays(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    said = f"The service says: {value or 'nothing'}."
    assert without_secrets(said) == said


def test_a_logged_traceback_holds_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "planted-0123")
    try:
        raise ValueError("refused: planted-0123")
    except ValueError as error:
        record = logging.LogRecord(
            "x", logging.ERROR, "", 1, "with %s", ("planted-0123",), (ValueError, error, error.__traceback__)
        )
    lines = WithoutSecrets("%(levelname)s %(message)s").format(record).splitlines()
    assert (lines[0], lines[-1]) == ("ERROR with (SOME_API_KEY)", "ValueError: refused: (SOME_API_KEY)")
