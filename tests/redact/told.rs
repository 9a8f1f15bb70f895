//! Secrets that a sentence, a table, a statement or a pipe tells, and vendors' keys that only their names tell. `…` is the secret.
//! Sources: the manuals of what reads them, and tables as people paste them. All are made up while a test runs.

/// Where a secret stands, and its form.
pub const TOLD: [(&str, &str); 34] = [
    // Sentences.
    ("The password is … and the port is 5432.", "a12"),
    ("the password for the staging database is …", "p14"),
    ("my password is `…`, please keep it", "l10d2"),
    ("Password was changed to …", "a16"),
    ("ok, the admin password is now set to \"…\".", "p16"),
    ("I logged in; its passphrase is …", "a20"),
    ("the API key is …", "x32"),
    ("Your access token is …, it expires in a day", "b40"),
    ("the client secret is '…'", "b34"),
    // Tables and columns.
    ("| user | ann |\n| password | … |\n| port | 5432 |", "a14"),
    ("| DB password | … | staging |", "p16"),
    ("| `api_key` | `…` |", "x32"),
    ("| Client secret | … |", "b34"),
    ("Username    ann\nPassword    …\nPort        22", "a12"),
    ("User\tann\nPassword\t…\n", "a14"),
    (" password | …", "a16"),
    // Statements.
    ("CREATE USER 'app'@'%' IDENTIFIED BY '…';", "a12"),
    ("ALTER USER 'app'@'%' IDENTIFIED WITH caching_sha2_password BY '…';", "p14"),
    ("create user app identified by \"…\" default tablespace users;", "a12"),
    ("CREATE ROLE app LOGIN PASSWORD '…';", "a10"),
    ("alter role app with encrypted password '…'", "p12"),
    ("ALTER USER app PASSWORD '…'", "l8d2"),
    // Pipes.
    ("echo … | docker login -u ann --password-stdin registry.test", "a12"),
    ("echo \"…\" | docker login ghcr.io -u ann --password-stdin", "p20"),
    ("printf '%s' '…' | helm registry login h.test -u ann --password-stdin", "a16"),
    ("echo '…' | gh auth login --with-token", "a40"),
    ("echo '…' | sudo -S systemctl restart app", "l9d1"),
    ("echo 'ann:…' | sudo chpasswd", "l8d2"),
    // Vendors' keys.
    ("DATADOG_KEY=…", "x32"),
    ("mailgun_key: …", "x32"),
    ("ALGOLIA_WRITE_KEY=…", "x32"),
    ("AZURE_STORAGE_KEY=…==", "s86"),
    ("\"pagerdutyIntegrationKey\": \"…\"", "x32"),
    ("FASTLY_KEY=…", "b32"),
];
