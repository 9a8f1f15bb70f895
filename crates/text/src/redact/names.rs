//! Names under which secrets are kept, in several languages. A name in ASCII is read as its words (`nextPageToken`, `next_page_token`),
//! because a key word inside of a longer one says nothing: a `passenger`, an `author` and a `design` are no secrets.

use crate::redact::NAME_BYTES;

/// What a name says of its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Named {
    /// A key or a code: of an account as well as of a row, a booking or a part.
    Key,
    /// What is secret when it is not a mere id.
    Token,
    /// A secret.
    Secret,
    /// A secret that a person may have chosen.
    Password,
}

/// Stand in a name of a password in any place, also as a part of a word: no other word has them in it.
const PASSWORDS: &str = "password passwd passphrase passcode pwd passwort kennwort contrasena motdepasse wachtwoord losenord adgangskode passord \
    salasana katasandi";
/// Are passwords as words of their own. Of names of several words the last is enough (`mot de passe`).
const PASSWORD_WORDS: &str = "senha passe mdp heslo haslo jelszo sifre sandi dbpass";
/// Mean a password, and a key or a word of any kind as well; likewise in letters beyond ASCII, unless what it is for stands before.
const KEY_WORDS: &str = "clave chave parola";
const KEYS_ELSEWHERE: &str = "schlüssel ключ";
/// Passwords in letters beyond ASCII, and other secrets: a name that ends so is one's.
const PASSWORDS_ELSEWHERE: &str = "contraseña lösenord hasło jelszó şifre khẩu пароль κωδικός סיסמה المرور السر पासवर्ड รหัสผ่าน 密码 密碼 口令 パスワード \
    暗証番号 비밀번호 암호";
const SECRETS_ELSEWHERE: &str = "секрет токен 密钥 密鑰 令牌 トークン シークレット 토큰 시크릿";
/// Words with these endings are secrets: `clientsecret` as well as `client_secret`.
const SECRETS: &str = "secret secrets credential credentials creds sessid sessionid";
/// What a key or a token must be for to be a secret, whatever it looks like. Others are keys of a cache, a row or a file.
const FOR: &str = "api access account private secret auth encrypt encrypted encryption signing consumer pass app application master license \
    licence deploy jwt hmac aes cipher admin session cookie subscription functions shared service server storage integration \
    ingest ingestion write refresh bearer bot client";
/// Keys that are no secrets, also where a name in capitals is that of a setting (`ACME_KEY`).
const PLAIN_KEYS: &str = "cache primary foreign partition sort row public group map object hot message";
/// What goes on with a list or with work that was begun, or ends it, is no secret.
const PLACES_IN_LISTS: &str = "page next previous prev continuation continue cursor pagination resume sync cancellation cancel";
/// What the last word of a name says its value is: something about a secret, and not the secret.
const ABOUT: &str = "id ids uuid guid name names type types kind count counts total at date time timestamp expires expiry expiration ttl age \
    length len size limit max min usage url uri endpoint host domain issuer path file filename dir folder form label title hint \
    page module component provider method mode scope status state policy rule role email username address contract mint symbol \
    ref version algorithm format prefix pattern arn number index pod commit branch by owner team group";
/// Words that mean a secret only where they end a name, or where one of `CARRIERS` follows: they are also words of other things
/// (`auth_service`, `private_subnet`, `basic_plan`, `pass_rate`).
const AT_THE_END: &str = "pass auth oauth authorization authentication cred private basic bearer encrypt encrypted encryption psk";
/// What holds a secret.
const CARRIERS: &str = "key keys value values code codes hash salt header headers cookie string text data digest session seed nonce ticket phrase pem \
    base b jwt hmac prod production staging dev word";
/// Run together with what they are for: `basicauth`, `dbpass`; and words that end so, and are none.
const JOINED: &str = "auth pass";
const PLAIN: &str = "bypass compass trespass surpass underpass overpass boardingpass seasonpass daypass";

/// What a name says of its value; `None` for one of nothing secret.
pub fn named(name: &[u8]) -> Option<Named> {
    if !name.is_ascii() {
        // A bound may have cut a letter in two.
        let name = String::from_utf8_lossy(name).to_lowercase();
        if let Some(before) = KEYS_ELSEWHERE.split(' ').find_map(|key| name.strip_suffix(key)) {
            let is_secret = ends_with_one_of(before.trim_end_matches(['-', '_']), FOR);
            return Some(if is_secret { Named::Secret } else { Named::Key });
        }
        let is_password = ends_with_one_of(&name, PASSWORDS_ELSEWHERE);
        return if is_password { Some(Named::Password) } else { ends_with_one_of(&name, SECRETS_ELSEWHERE).then_some(Named::Secret) };
    }
    let words = Words::of(name);
    let last = words.get(words.count.checked_sub(1)?);
    let is_alone = words.count == 1;
    // Alone these are directories of the shell as well, which no person chose.
    if is_alone && matches!(last, "pwd" | "oldpwd") {
        return Some(Named::Secret);
    }
    // Alone `pass` is a count of tests.
    if ends_with_one_of(last, PASSWORDS)
        || is_one_of(last, PASSWORD_WORDS)
        || !is_alone && last == "pass" && !ends_with_one_of(words.up_to(words.count), PLAIN)
    {
        return Some(Named::Password);
    }
    if is_one_of(last, KEY_WORDS) {
        return Some(Named::Key);
    }
    if !is_alone {
        let before = words.get(words.count - 2);
        let is_setting = || last == "key" && !name.iter().any(u8::is_ascii_lowercase) && !is_one_of(before, PLAIN_KEYS);
        if last == "pat" || is_setting() {
            return Some(Named::Secret);
        }
        // The id of a key or a secret is kept as secretly as what it belongs to.
        if last == "id" && (before.ends_with("key") || before.ends_with("secret")) {
            return (0..words.count).filter_map(|index| word_named(words.get(index), words.up_to(index + 1))).max();
        }
    }
    let ends = |from: usize| (from..words.count).all(|index| is_one_of(words.get(index), CARRIERS));
    let at_the_end = |index: usize| is_end_word(words.get(index), words.up_to(index + 1)) && ends(index + 1);
    let by_words = (0..words.count).filter_map(|index| word_named(words.get(index), words.up_to(index + 1))).max();
    by_words.filter(|_| !is_one_of(last, ABOUT)).max((0..words.count).any(at_the_end).then_some(Named::Secret))
}

/// Whether a name is that of a signature: in the query of an address it lets in who has it, elsewhere it proves something.
pub fn names_signature(name: &[u8]) -> bool {
    let words = Words::of(name);
    words.count > 0 && matches!(words.get(words.count - 1), "sig" | "signature")
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
    let is_secret = words_in(PASSWORDS).any(|part| word.as_bytes().windows(part.len()).any(|within| within == part))
        || ends_with_one_of(word, SECRETS)
        || is_key();
    if is_secret {
        return Some(Named::Secret);
    }
    word.strip_suffix('s').unwrap_or(word).ends_with("token").then_some(Named::Token)
}

fn is_end_word(word: &str, so_far: &str) -> bool {
    (is_one_of(word, AT_THE_END) || ends_with_one_of(word, JOINED)) && !ends_with_one_of(so_far, PLAIN)
}

fn is_one_of(word: &str, words: &'static str) -> bool {
    words_in(words).any(|known| known == word.as_bytes())
}

fn ends_with_one_of(text: &str, endings: &'static str) -> bool {
    words_in(endings).any(|ending| text.as_bytes().ends_with(ending))
}

/// The words of a list, as bytes: names are read in great numbers, and a search for a letter costs more than a few bytes.
fn words_in(list: &'static str) -> impl Iterator<Item = &'static [u8]> {
    list.as_bytes().split(|byte| *byte == b' ')
}

/// The words of a name in ASCII, in small letters and without numbers: split at marks, at digits and where a large letter begins one.
/// Names are read in great numbers, so nothing is allocated.
struct Words {
    letters: [u8; NAME_BYTES],
    /// Where each word ends.
    ends: [u8; NAME_BYTES],
    count: usize,
}

impl Words {
    fn of(name: &[u8]) -> Words {
        let name = name.get(name.len().saturating_sub(NAME_BYTES)..).unwrap_or_default();
        let mut words = Words { letters: [0; NAME_BYTES], ends: [0; NAME_BYTES], count: 0 };
        let (mut before, mut length) = (b'_', 0);
        for (at, byte) in name.iter().enumerate() {
            let next_is_small = name.get(at + 1).is_some_and(u8::is_ascii_lowercase);
            // `nextPage`, and `APIKey`, whose last large letter begins a word.
            let begins = !before.is_ascii_alphabetic()
                || byte.is_ascii_uppercase() && (before.is_ascii_lowercase() || before.is_ascii_uppercase() && next_is_small);
            if byte.is_ascii_alphabetic() {
                words.count += usize::from(begins);
                words.letters[length] = byte.to_ascii_lowercase();
                length += 1;
                words.ends[words.count - 1] = length as u8;
            }
            before = *byte;
        }
        words
    }

    /// The first words, run together.
    fn up_to(&self, count: usize) -> &str {
        self.part(0, count)
    }

    fn get(&self, index: usize) -> &str {
        self.part(index, index + 1)
    }

    fn part(&self, from: usize, to: usize) -> &str {
        let end = |count: usize| count.checked_sub(1).map_or(0, |index| usize::from(self.ends[index]));
        std::str::from_utf8(&self.letters[end(from)..end(to)]).unwrap_or_default()
    }
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
            let read = Words::of(name.as_bytes());
            assert_eq!((0..read.count).map(|index| read.get(index)).collect::<Vec<_>>().join(" "), words);
        }
    }

    #[test]
    fn names_of_secrets_differ_from_names_with_the_same_letters() {
        let secret = "password dbPassword PGPASSWORD password2 passwordConfirm PWD_HASH_SALT DB_PWD dbpass MYSQL_PASS passphrase secret \
            clientSecret clientsecret SECRET_KEY_BASE secret_id token access_token authToken TOKEN_GITHUB refresh_tokens id_token apiKey \
            APIKEY api-key X-Api-Key apikeys accessKey aws_secret_access_key AccountKey private_key private_key_id PRIVATE_KEY_PEM \
            encryption_key encryptionSalt signingKey auth _auth oauth basicAuth authCode auth_key authorization Authorization Bearer Basic \
            creds db_credentials page_access_token encrypted_value consumer_key private_pem \
            auth_b64 DB_PASS_PROD ACME_KEY PWD senha Clave";
        for name in secret.split_whitespace() {
            assert!(named(name.as_bytes()).is_some(), "{name}");
        }
        let plain = "passenger passport passage passed bypass compass boarding_pass boardingPassNumber pass_rate author authored authority \
            authorize authorized_by authService auth_provider design assign assigned assignment signal signup sign significant sigma credit \
            creditor accredited sacred secretary secretaryId secretariat tokenize tokenizer tokenization token_id token_count tokenAddress \
            token_url nextPageToken next_page_token nextpagetoken pageToken NextToken continuationToken NextContinuationToken cursor_token \
            syncToken private_ip private_subnet basic_plan encrypted_volume encryption_config passwordResetForm password_reset_id \
            secret_name secretName secretArn credentialsId secret_created_by token_owner cache_key primaryKey monkey keyword key CACHE_KEY signature \
            X-Amz-Signature x-hub-signature-256";
        for name in plain.split_whitespace() {
            assert!(named(name.as_bytes()).is_none(), "{name}");
        }
        assert_eq!(named("Passwort".as_bytes()), Some(Named::Password));
        assert_eq!([named(b"clave"), named("Gemeindeschlüssel".as_bytes())], [Some(Named::Key); 2], "of a row as well");
        assert_eq!(named("数据库密码".as_bytes()), Some(Named::Password));
        assert_eq!(named("API-Ключ".as_bytes()), Some(Named::Secret));
        assert_eq!(named(b"session_token"), Some(Named::Secret));
        assert_eq!(named(b"token"), Some(Named::Token), "where a UUID is an id");
    }
}
