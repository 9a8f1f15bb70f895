//! Names under which secrets are kept. A name is read as its words (`nextPageToken`, `next_page_token`), because a key word inside of a
//! longer one says nothing: a `passenger`, an `author` and a `design` are no secrets.

/// Stand in a name of a secret in any place, also as a part of a word: no other word has them in it.
const ANYWHERE: &[&str] = &["password", "passwd", "passphrase", "passcode", "pwd", "sessid", "sessionid"];
/// Words with these endings are secrets: `clientsecret` as well as `client_secret`.
const ENDINGS: &[&str] = &["secret", "secrets", "token", "tokens", "credential", "credentials", "creds"];
/// What a key must be for to be a secret. Others are keys of a cache, a row or a file.
const KEYS_FOR: &[&str] = &[
    "api",
    "access",
    "account",
    "private",
    "secret",
    "auth",
    "encrypt",
    "encrypted",
    "encryption",
    "signing",
    "signature",
    "consumer",
    "pass",
    "app",
    "application",
    "master",
    "license",
    "licence",
    "deploy",
    "jwt",
    "hmac",
    "aes",
    "cipher",
    "admin",
    "session",
    "cookie",
    "subscription",
    "functions",
    "preshared",
    "shared",
    "service",
    "server",
    // Vendors whose keys are plain hexadecimal digits, told by their names alone.
    "datadog",
    "mailgun",
    "mailchimp",
    "sendgrid",
    "algolia",
    "fastly",
    "cloudflare",
    "pagerduty",
    "opsgenie",
    "honeycomb",
    "newrelic",
    "relic",
    "bugsnag",
    "rollbar",
    "airbrake",
    "amplitude",
    "mixpanel",
    "segment",
    "openweather",
    "etherscan",
    "infura",
    "alchemy",
    "shodan",
    "virustotal",
    "stripe",
    "twilio",
    "heroku",
    "linode",
    "storage",
    "integration",
    "ingest",
    "ingestion",
    "write",
];
/// What goes on with a list, or with work that was begun, is no secret.
const PLACES_IN_LISTS: &[&str] =
    &["page", "next", "previous", "prev", "continuation", "continue", "cursor", "pagination", "resume", "sync"];
/// What the last word of a name says its value is: something about a secret, and not the secret.
const ABOUT: &[&str] = &[
    "id",
    "ids",
    "uuid",
    "guid",
    "name",
    "names",
    "type",
    "types",
    "kind",
    "count",
    "counts",
    "counter",
    "total",
    "at",
    "date",
    "time",
    "timestamp",
    "expires",
    "expiry",
    "expiration",
    "ttl",
    "age",
    "length",
    "len",
    "size",
    "limit",
    "max",
    "min",
    "usage",
    "budget",
    "url",
    "uri",
    "endpoint",
    "host",
    "domain",
    "issuer",
    "path",
    "file",
    "filename",
    "dir",
    "directory",
    "folder",
    "form",
    "label",
    "title",
    "page",
    "screen",
    "view",
    "route",
    "handler",
    "listener",
    "module",
    "component",
    "controller",
    "manager",
    "provider",
    "factory",
    "method",
    "mode",
    "scope",
    "scopes",
    "status",
    "state",
    "policy",
    "rule",
    "role",
    "email",
    "username",
    "address",
    "contract",
    "mint",
    "symbol",
    "ref",
    "version",
    "algorithm",
    "format",
    "prefix",
    "pattern",
    "arn",
    "number",
    "index",
    "pod",
    "commit",
    "branch",
    "by",
    "owner",
    "team",
    "group",
];
/// Words that mean a secret only where they end a name, or where one of `CARRIERS` follows: they are also words of other things
/// (`auth_service`, `private_subnet`, `basic_plan`, `pass_rate`).
const AT_THE_END: &[&str] = &[
    "pass",
    "auth",
    "oauth",
    "authorization",
    "authentication",
    "cred",
    "sig",
    "signature",
    "private",
    "basic",
    "bearer",
    "encrypt",
    "encrypted",
    "encryption",
];
/// Words that end names of secrets, and of types and patterns more often: the value must not look like one. A personal access token has
/// a name that says whose it is.
const RARELY: &[&str] = &["psk", "cookie", "cookies", "pat"];
/// No name of a type is so long.
const LONG_BYTES: usize = 32;
/// What holds a secret.
const CARRIERS: &[&str] = &[
    "key",
    "keys",
    "value",
    "values",
    "code",
    "codes",
    "hash",
    "salt",
    "header",
    "headers",
    "cookie",
    "cookies",
    "string",
    "text",
    "data",
    "digest",
    "session",
    "seed",
    "nonce",
    "ticket",
    "phrase",
    "pem",
    "base",
    "b",
    "jwt",
    "hmac",
    "mac",
    "prod",
    "production",
    "staging",
    "dev",
    "word",
];
/// Run together with what they are for: `basicauth`, `dbpass`.
const JOINED_ENDINGS: &[&str] = &["auth", "pass"];
/// Words and things that end so, and are none.
const PLAIN: &[&str] = &["bypass", "compass", "trespass", "surpass", "underpass", "overpass", "boardingpass", "seasonpass", "daypass"];

/// Whether a value of this name is a secret, if it looks like one.
pub fn names_secret(name: &[u8], value: &[u8]) -> bool {
    let words = words_of(name);
    let Some(last) = words.last() else { return false };
    // The shell's name for a directory.
    if words.len() == 1 && matches!(last.as_str(), "pwd" | "oldpwd") && value.starts_with(b"/") {
        return false;
    }
    let is_about = ABOUT.contains(&last.as_str()) && !is_half_of_a_pair(&words);
    if RARELY.contains(&last.as_str()) {
        let has_digit = value.iter().any(u8::is_ascii_digit) || value.len() >= LONG_BYTES;
        let is_pattern =
            last == "pat" && (words.len() == 1 || value.iter().any(|byte| !byte.is_ascii_alphanumeric() && !b"_-".contains(byte)));
        return has_digit && !is_pattern;
    }
    words.iter().enumerate().any(|(index, word)| {
        let so_far = words[..=index].concat();
        !is_about && is_secret_word(word, &so_far)
            || is_secret_at_the_end(word, &so_far) && words[index + 1..].iter().all(|word| CARRIERS.contains(&word.as_str()))
    })
}

/// Whether a name means a password and nothing else, such as what it is for or how long it is.
pub fn names_password(name: &[u8]) -> bool {
    let words = words_of(name);
    // Alone the first is a directory and the second a count of tests.
    let is_short = |word: &str| word == "dbpass" || words.len() > 1 && matches!(word, "pwd" | "pass");
    words.last().is_some_and(|word| ends_with_one_of(word, &["password", "passwd", "passphrase"]) || is_short(word))
}

/// The id of a key or a secret is kept as secretly as what it belongs to.
fn is_half_of_a_pair(words: &[String]) -> bool {
    matches!(words, [.., of, last] if last == "id" && (of.ends_with("key") || of.ends_with("secret")))
}

fn is_secret_word(word: &str, so_far: &str) -> bool {
    if let Some(before) = so_far.strip_suffix("token").or_else(|| so_far.strip_suffix("tokens")) {
        return !ends_with_one_of(before, PLACES_IN_LISTS);
    }
    so_far == "clientkeydata"
        || ANYWHERE.iter().any(|part| word.contains(part))
        || ends_with_one_of(word, ENDINGS)
        || so_far.strip_suffix("key").or_else(|| so_far.strip_suffix("keys")).is_some_and(|before| ends_with_one_of(before, KEYS_FOR))
}

fn is_secret_at_the_end(word: &str, so_far: &str) -> bool {
    (AT_THE_END.contains(&word) || ends_with_one_of(word, JOINED_ENDINGS)) && !ends_with_one_of(so_far, PLAIN)
}

fn ends_with_one_of(text: &str, endings: &[&str]) -> bool {
    endings.iter().any(|ending| text.ends_with(ending))
}

/// The words of a name in small letters, without numbers: split at marks, at digits and where a large letter begins one.
fn words_of(name: &[u8]) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = b'_';
    for (at, byte) in name.iter().enumerate() {
        let next_is_small = name.get(at + 1).is_some_and(u8::is_ascii_lowercase);
        // `nextPage`, and `APIKey`, whose last large letter begins a word.
        let begins = !before.is_ascii_alphabetic()
            || byte.is_ascii_uppercase() && (before.is_ascii_lowercase() || before.is_ascii_uppercase() && next_is_small);
        if byte.is_ascii_alphabetic() {
            if begins {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.push(char::from(byte.to_ascii_lowercase()));
            }
        }
        before = *byte;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_as_its_words() {
        for (name, words) in [
            ("nextPageToken", "next page token"),
            ("next_page-token", "next page token"),
            ("APIKey", "api key"),
            ("X-Hub-Signature-256", "x hub signature"),
            ("PGPASSWORD", "pgpassword"),
            ("oauth2Token", "oauth token"),
            ("__a1__", "a"),
            ("", ""),
        ] {
            assert_eq!(words_of(name.as_bytes()).join(" "), words);
        }
    }

    #[test]
    fn names_of_secrets_are_told_from_names_with_the_same_letters() {
        let secret = "password dbPassword PGPASSWORD password2 passwordConfirm PWD_HASH_SALT DB_PWD dbpass MYSQL_PASS passphrase secret \
            clientSecret clientsecret SECRET_KEY_BASE secret_id token access_token authToken TOKEN_GITHUB refresh_tokens id_token apiKey \
            APIKEY api-key X-Api-Key apikeys accessKey aws_secret_access_key AccountKey private_key private_key_id PRIVATE_KEY_PEM \
            encryption_key encryptionSalt signingKey auth _auth oauth basicAuth authCode auth_key authorization Authorization Bearer Basic \
            creds db_credentials sig X-Amz-Signature x-hub-signature-256 page_access_token encrypted_value consumer_key private_pem \
            auth_b64 DB_PASS_PROD";
        for name in secret.split_whitespace() {
            assert!(names_secret(name.as_bytes(), b"x"), "{name}");
        }
        let plain = "passenger passport passage passed bypass compass boarding_pass boardingPassNumber pass_rate author authored authority \
            authorize authorized_by authService auth_provider design assign assigned assignment signal signup sign significant sigma credit \
            creditor accredited sacred secretary secretaryId secretariat tokenize tokenizer tokenization token_id token_count tokenAddress \
            token_url nextPageToken next_page_token nextpagetoken pageToken NextToken continuationToken NextContinuationToken cursor_token \
            syncToken private_ip private_subnet basic_plan encrypted_volume encryption_config passwordResetForm password_reset_id \
            secret_name secretName secretArn credentialsId secret_created_by token_owner cache_key primaryKey monkey keyword key PWD OLDPWD";
        for name in plain.split_whitespace() {
            assert!(!names_secret(name.as_bytes(), b"/home/ann"), "{name}");
        }
        assert!(names_secret(b"PWD", b"t8Kq2ZpL9m"), "a password, and no directory");
    }
}
