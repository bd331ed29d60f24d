"""What looks like a secret is told from settings about secrets."""

import json

import pytest

from benchbook.secret import secrets_in, without_secrets

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("primary_conninfo = 'host=a password=hunter2'", "password"),
        ("password = hunter2", "password"),
        ("api_key: hunter2", "api_key"),
        ("sasl_password=hunter2", "sasl_password"),
        ('"password": "hunter2"', "password"),
        ("--master-password=hunter2", "master-password"),
        ("requirepass hunter2", "requirepass"),
        ("CREATE USER a IDENTIFIED BY 'hunter2'", "identified by"),
        ("url = postgres://me:hunter2@host/db", "an address"),
        ("AWS_SECRET_ACCESS_KEY=hunter2", "aws_secret_access_key"),
    ],
)
def test_a_secret_is_named_and_hidden(text, name):
    """By its line and name, in a file and in JSON that holds the file."""
    file = f"a = 1\n{text}\n"
    held = json.dumps({"config": file})

    assert [(2, name)] == list(secrets_in(file))
    assert [(1, name)] == list(secrets_in(held))
    assert "hunter2" not in without_secrets(file)
    assert without_secrets(file) == json.loads(without_secrets(held))["config"]


@pytest.mark.parametrize(
    "text",
    [
        "password_encryption = scram-sha-256", "validate_password.policy = LOW",
        "default_authentication_plugin=mysql_native_password", "passwordcheck",
        "shared_preload_libraries = 'passwordcheck'", "password = ${PG_PW}",
        "report_password =", "validate_password = ON", "default_password_lifetime=0",
        "ssl_key = 'server.key'", "url = https://host/x@y", "old_passwords=0",
        "sha256_password_private_key_path=private_key.pem", "password_history 5",
        "innodb_ft_min_token_size=3", "secure_file_priv=",
    ],
)  # fmt: skip
def test_a_setting_about_secrets_is_none(text):
    """Neither found nor hidden."""
    assert [] == list(secrets_in(text))
    assert text == without_secrets(text)
