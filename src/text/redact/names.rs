//! Names under which secrets are kept, in several languages. A name in ASCII is read as its words (`nextPageToken`, `next_page_token`),
//! because a key word inside of a longer one says nothing: a `passenger`, an `author` and a `design` are no secrets.

/// What a name says of its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Named {
    /// What is secret when it is not a mere id.
    Token,
    /// A secret.
    Secret,
    /// A secret that a person may have chosen.
    Password,
}

/// Stand in a name of a password in any place, also as a part of a word: no other word has them in it.
const PASSWORDS: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pwd",
    "passwort",
    "kennwort",
    "contrasena",
    "motdepasse",
    "wachtwoord",
    "losenord",
    "adgangskode",
    "passord",
    "salasana",
    "katasandi",
];
/// Are passwords as words of their own. Of names of several words the last is enough (`mot de passe`).
const PASSWORD_WORDS: &[&str] =
    &["clave", "chave", "senha", "passe", "mdp", "parola", "heslo", "haslo", "jelszo", "sifre", "sandi", "dbpass"];
/// Passwords, secrets and keys in letters beyond ASCII: a name that ends so is one's.
const ELSEWHERE: &[&str] = &[
    "contraseña",
    "lösenord",
    "hasło",
    "jelszó",
    "şifre",
    "khẩu",
    "schlüssel",
    "пароль",
    "секрет",
    "токен",
    "ключ",
    "κωδικός",
    "סיסמה",
    "المرور",
    "السر",
    "पासवर्ड",
    "รหัสผ่าน",
    "密码",
    "密碼",
    "口令",
    "密钥",
    "密鑰",
    "令牌",
    "パスワード",
    "暗証番号",
    "トークン",
    "シークレット",
    "비밀번호",
    "암호",
    "토큰",
    "시크릿",
];
/// Words with these endings are secrets: `clientsecret` as well as `client_secret`.
const SECRETS: &[&str] = &["secret", "secrets", "credential", "credentials", "creds", "sessid", "sessionid"];
/// What a key or a token must be for to be a secret, whatever it looks like. Others are keys of a cache, a row or a file.
const FOR: &[&str] = &[
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
    "shared",
    "service",
    "server",
    "storage",
    "integration",
    "ingest",
    "ingestion",
    "write",
    "refresh",
    "bearer",
    "bot",
    "client",
];
/// Keys that are no secrets, also where a name in capitals is that of a setting (`ACME_KEY`).
const PLAIN_KEYS: &[&str] =
    &["cache", "primary", "foreign", "partition", "sort", "row", "public", "group", "map", "object", "hot", "message"];
/// What goes on with a list or with work that was begun, or ends it, is no secret.
const PLACES_IN_LISTS: &[&str] =
    &["page", "next", "previous", "prev", "continuation", "continue", "cursor", "pagination", "resume", "sync", "cancellation", "cancel"];
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
    "folder",
    "form",
    "label",
    "title",
    "hint",
    "page",
    "module",
    "component",
    "provider",
    "method",
    "mode",
    "scope",
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
    "private",
    "basic",
    "bearer",
    "encrypt",
    "encrypted",
    "encryption",
    "psk",
];
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
    "prod",
    "production",
    "staging",
    "dev",
    "word",
];
/// Run together with what they are for: `basicauth`, `dbpass`; and words that end so, and are none.
const JOINED: &[&str] = &["auth", "pass"];
const PLAIN: &[&str] = &["bypass", "compass", "trespass", "surpass", "underpass", "overpass", "boardingpass", "seasonpass", "daypass"];

/// What the name at the end of a text says of its value; `None` for one of nothing secret.
pub fn named(text: &[u8]) -> Option<Named> {
    if !text.is_ascii() {
        // A bound may have cut a letter in two.
        let text = String::from_utf8_lossy(text).to_lowercase();
        return ends_with_one_of(&text, ELSEWHERE).then_some(Named::Password);
    }
    let words = words_of(text);
    let last = words.last()?.as_str();
    // Alone these are directories of the shell as well, which no person chose.
    if words.len() == 1 && matches!(last, "pwd" | "oldpwd") {
        return Some(Named::Secret);
    }
    let is_setting = |text: &[u8]| text.iter().all(|byte| !byte.is_ascii_lowercase());
    if words.len() > 1 && (last == "pat" || last == "key" && is_setting(text) && !PLAIN_KEYS.contains(&words[words.len() - 2].as_str())) {
        return Some(Named::Secret);
    }
    // The id of a key or a secret is kept as secretly as what it belongs to.
    let is_half_of_a_pair = matches!(&words[..], [.., of, last] if last == "id" && (of.ends_with("key") || of.ends_with("secret")));
    let is_about = ABOUT.contains(&last) && !is_half_of_a_pair;
    // Alone `pass` is a count of tests.
    if ends_with_one_of(last, PASSWORDS)
        || PASSWORD_WORDS.contains(&last)
        || words.len() > 1 && last == "pass" && !ends_with_one_of(&words.concat(), PLAIN)
    {
        return Some(Named::Password);
    }
    words
        .iter()
        .enumerate()
        .filter_map(|(index, word)| {
            let so_far = words[..=index].concat();
            let ends = || words[index + 1..].iter().all(|word| CARRIERS.contains(&word.as_str()));
            if is_about { None } else { word_named(word, &so_far) }
                .or_else(|| (is_end_word(word, &so_far) && ends()).then_some(Named::Secret))
        })
        .max()
}

/// Whether a name is that of a signature: in the query of an address it lets in who has it, elsewhere it proves something.
pub fn names_signature(name: &[u8]) -> bool {
    words_of(name).last().is_some_and(|word| matches!(word.as_str(), "sig" | "signature"))
}

fn word_named(word: &str, so_far: &str) -> Option<Named> {
    if let Some(before) = so_far.strip_suffix("token").or_else(|| so_far.strip_suffix("tokens")) {
        let is_secret = ends_with_one_of(before, FOR);
        return (!ends_with_one_of(before, PLACES_IN_LISTS)).then_some(if is_secret { Named::Secret } else { Named::Token });
    }
    let is_key = || {
        let before = so_far.strip_suffix("key").or_else(|| so_far.strip_suffix("keys"));
        before.is_some_and(|before| ends_with_one_of(before, FOR))
    };
    let is_secret = PASSWORDS.iter().any(|part| word.contains(part)) || ends_with_one_of(word, SECRETS) || is_key();
    if is_secret {
        return Some(Named::Secret);
    }
    word.strip_suffix('s').unwrap_or(word).ends_with("token").then_some(Named::Token)
}

fn is_end_word(word: &str, so_far: &str) -> bool {
    (AT_THE_END.contains(&word) || ends_with_one_of(word, JOINED)) && !ends_with_one_of(so_far, PLAIN)
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
