//! Names under which secrets are kept, in several languages: one table of words. A name is read as its words (`nextPageToken`,
//! `next_page_token`, `Next page token`), because a key word inside of a longer one says nothing: a `passenger`, an `author` and a `design`
//! are no secrets. Case, width and marks above and below letters make no other word (`fold`).

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
const PASSWORDS: &str = "password passwd passphrase passcode pwd passwort kennwort contrasena motdepasse wachtwoord losenord \
    adgangskode passord salasana katasandi пароль лозинка κωδικος סיסמה المرور السر पासवर्ड รหัสผ่าน 密码 密碼 口令 ハスワート 暗証番号 \
    비밀번호 암호";
/// Are passwords as words of their own. Of names of several words the last is enough (`mot de passe`).
const PASSWORD_WORDS: &str = "senha passe mdp pw heslo haslo jelszo sifre khau sandi dbpass";
/// Mean a key, a password and a word of any kind as well, unless what it is for stands before.
const KEY_WORDS: &str = "clave chave parola cle chiave klucz schlussel anahtari jeton ключ مفتاح キー 키 密钥 密鑰 私钥 令牌";
/// Words with these endings are secrets: `clientsecret` as well as `client_secret`.
const SECRETS: &str =
    "secret secrets credential credentials creds sessid sessionid секрет токен トークン シークレット 토큰 시크릿 秘密鍵 秘密键";
/// What a key, or a token must be for to be a secret, whatever it looks like. Others are keys of a cache, a row or a file.
const FOR: &str = "api access account private secret auth encrypt encrypted encryption signing consumer pass app application master license \
    licence deploy jwt hmac aes cipher admin session cookie subscription functions shared service server storage integration \
    ingest ingestion write refresh bearer bot client recovery";
/// Keys that are no secrets, also where a name in capitals is that of a setting (`ACME_KEY`).
const PLAIN_KEYS: &str = "cache primary foreign partition sort row public group map object hot message";
/// What goes on with a list or with work that was begun, or ends it, is no secret.
const PLACES_IN_LISTS: &str = "page next previous prev continuation continue cursor pagination resume sync cancellation cancel";
/// What the last word of a name says its value is: something about a secret, and not the secret.
const ABOUT: &str = "id ids uuid guid name names type types kind count counts total at date time timestamp expires expiry expiration ttl age \
    length len size limit max min usage url uri endpoint host domain issuer path file filename dir folder form label title hint \
    page module component provider method mode scope status state policy rule role email username address contract mint symbol \
    ref version algorithm format prefix pattern arn number index pod commit branch by owner team group user login fingerprint reset link";
/// Words that mean a secret only where they end a name, or where one of `CARRIERS` follows: they are also words of other things
/// (`auth_service`, `private_subnet`, `basic_plan`, `pass_rate`).
const AT_THE_END: &str = "pass auth oauth authorization authentication cred private basic bearer encrypt encrypted encryption psk";
/// What holds a secret.
const CARRIERS: &str = "key keys value values code codes hash salt header headers cookie string text data digest session seed nonce ticket phrase pem \
    base b jwt hmac prod production staging dev word";
/// Parts of names and options that tell that a place in a text is near one: of each name in ASCII, and of no frequent word.
const PARTS: &str = "pass pwd pw: pw= pw\" key toke secr cred auth priv basi bear encr psk ssid onid _pat -pat pat= pat: pat\" sig= ure= -use \
    -u~ -u= -p~ -p= clav chav paro chia kluc jeto senh mdp hesl hasl jels sifr sand kenn asen wach seno adga sala";
/// What is said of a stretch.
pub const IS_NEAR: u8 = 1;
pub const HAS_NAME: u8 = 2;
/// Stretches of so many bytes, as a power of two, are near a name or not.
pub const NEAR_SHIFT: usize = 5;
/// Stand before a `pass` that is none.
const PLAIN: &str = "by com tres sur under over boarding season day";
/// What a name says of its value; `None` for one of nothing secret.
#[inline(never)]
pub fn named(name: &[u8]) -> Option<Named> {
    if name.is_ascii() && !has_part(name) {
        return None;
    }
    let words = words_of(name);
    let words = words.as_bytes();
    let (before, last) = words.split_at(last_word(words));
    let before = before.trim_ascii_end();
    let is_named_so = !before.is_empty();
    match last {
        b"" => return None,
        // Alone these are directories of the shell as well, which no person chose.
        b"pwd" | b"oldpwd" if before.is_empty() => return Some(Named::Secret),
        // Alone `pass` is a count of tests.
        b"pass" if is_named_so && !is_plain_pass(before) => return Some(Named::Password),
        b"pat" if is_named_so => return Some(Named::Secret),
        b"key" if is_named_so && !name.iter().any(u8::is_ascii_lowercase) && !ends_with_one_of(before, PLAIN_KEYS) => {
            return Some(Named::Secret);
        }
        _ if ends_with_one_of(last, PASSWORDS) || is_one_of(last, PASSWORD_WORDS) => return Some(Named::Password),
        _ => {}
    }
    // Short words end others, too.
    if let Some(key) = words_in(KEY_WORDS).find(|key| last == *key || key.len() >= 6 && last.ends_with(key)) {
        let is_secret = ends_with_one_of(words[..words.len() - key.len()].trim_ascii_end(), FOR);
        return Some(if is_secret { Named::Secret } else { Named::Key });
    }
    // From behind, as long as what follows holds a secret.
    let (mut stop, mut ends) = (words.len(), true);
    let (mut says, mut carried) = (None, None);
    while stop > 0 {
        let so_far = words[..stop].trim_ascii_end();
        stop = last_word(so_far);
        let word = &so_far[stop..];
        says = says.max(word_named(word, so_far));
        let is_end = is_one_of(word, AT_THE_END) || word.ends_with(b"auth") || word.ends_with(b"pass");
        carried = carried.or((ends && is_end && !is_plain_pass(so_far)).then_some(Named::Secret));
        ends = ends && is_one_of(word, CARRIERS);
    }
    // The id of a key or a secret is kept as secretly as what it belongs to.
    let is_id_of_one = || last == b"id" && (before.ends_with(b"key") || before.ends_with(b"secret"));
    says.filter(|_| !is_one_of(last, ABOUT) || is_id_of_one()).max(carried)
}

/// Each of `PARTS` as a number of its three or four bytes, and a bit for the hash of its last three: one look rules out nearly all places of a text.
const NEAR: ([u32; 64], [u64; 64]) = {
    let mut near = ([0; 64], [0; 64]);
    let parts = PARTS.as_bytes();
    let (mut at, mut count, mut last) = (0, 0, 0);
    while at <= parts.len() {
        if at == parts.len() || parts[at] == b' ' {
            near.0[count] = last;
            near.1[near_place(last) / 64] |= 1 << (near_place(last) % 64);
            (count, last) = (count + 1, 0);
        } else {
            // `~` is a blank.
            last = last << 8 | (if parts[at] == b'~' { b' ' } else { parts[at] } | 0x20) as u32;
        }
        at += 1;
    }
    near
};

const fn near_place(last: u32) -> usize {
    ((last & 0xff_ffff).wrapping_mul(0x9e37_79b1) >> 20) as usize
}

/// Whether the last bytes of a place are one of `PARTS`.
#[inline(always)]
fn ends_part(last: u32) -> bool {
    NEAR.1[near_place(last) / 64] >> (near_place(last) % 64) & 1 != 0 && is_part(last)
}

#[inline(never)]
fn is_part(last: u32) -> bool {
    NEAR.0.iter().any(|part| *part == last || *part == last & 0xff_ffff)
}

/// Whether a name in ASCII holds one of `PARTS`.
fn has_part(name: &[u8]) -> bool {
    let mut last = u32::from(b'-');
    name.iter().chain(b"=").any(|byte| {
        last = last << 8 | u32::from(byte | 0x20);
        ends_part(last)
    })
}

/// Which stretches of a text are near a name: as far before it as the value of a pair, as far behind it as a value with words between.
pub fn near_names(bytes: &[u8]) -> Vec<u8> {
    let mut near = vec![0; (bytes.len() >> NEAR_SHIFT) + 5];
    let mut last = 0;
    for (at, byte) in bytes.iter().enumerate() {
        last = last << 8 | u32::from(byte | 0x20);
        // Letters beyond ASCII may be names, other marks are none.
        if ends_part(last) || *byte >= 0xc3 && *byte != 0xe2 {
            let stretch = at >> NEAR_SHIFT;
            near[stretch.saturating_sub(4)..=stretch + 4].iter_mut().for_each(|near| *near |= IS_NEAR);
            near[stretch] |= HAS_NAME;
        }
    }
    near
}

/// Where the last word begins.
fn last_word(words: &[u8]) -> usize {
    words.iter().rposition(|byte| *byte == b' ').map_or(0, |blank| blank + 1)
}

/// Whether a name says something about a secret: `token count`.
pub fn is_about(name: &[u8]) -> bool {
    let words = words_of(name);
    is_one_of(&words.as_bytes()[last_word(words.as_bytes())..], ABOUT)
}

/// Whether a name is that of a signature: in the query of an address it lets in who has it, elsewhere it proves something.
pub fn names_signature(name: &[u8]) -> bool {
    let words = words_of(name);
    is_one_of(&words.as_bytes()[last_word(words.as_bytes())..], "sig signature")
}

fn word_named(word: &[u8], so_far: &[u8]) -> Option<Named> {
    let single = so_far.strip_suffix(b"s").unwrap_or(so_far);
    let is_for =
        |end: &[u8], list: &'static str| single.strip_suffix(end).is_some_and(|before| ends_with_one_of(before.trim_ascii_end(), list));
    if ends_with_one_of(word.strip_suffix(b"s").unwrap_or(word), PASSWORDS)
        || ends_with_one_of(word, SECRETS)
        || is_for(b"key", FOR)
        || is_for(b"token", FOR)
    {
        return Some(Named::Secret);
    }
    (single.ends_with(b"token") && !is_for(b"token", PLACES_IN_LISTS)).then_some(Named::Token)
}

/// Whether `pass` is no password: `boarding_pass`.
fn is_plain_pass(name: &[u8]) -> bool {
    ends_with_one_of(name.strip_suffix(b"pass").unwrap_or(name).trim_ascii_end(), PLAIN)
}

pub fn is_one_of(word: &[u8], words: &'static str) -> bool {
    words_in(words).any(|known| known == word)
}

fn ends_with_one_of(text: &[u8], endings: &'static str) -> bool {
    words_in(endings).any(|ending| text.ends_with(ending))
}

fn words_in(list: &'static str) -> impl Iterator<Item = &'static [u8]> {
    list.as_bytes().split(|byte| *byte == b' ')
}

/// The words of a name, in small letters, without numbers and with a blank between them: split at marks, at digits and where a large letter
/// begins one.
fn words_of(name: &[u8]) -> String {
    // A bound may have cut a letter in two.
    let name = if name.is_ascii() { String::from_utf8_lossy(name) } else { fold(&String::from_utf8_lossy(name)).into() };
    let mut words = String::with_capacity(name.len() + 8);
    let mut before = b'_';
    for (at, letter) in name.char_indices() {
        let is_letter = letter.is_ascii_alphabetic() || !letter.is_ascii();
        // `nextPage`, and `APIKey`, whose last large letter begins a word.
        let next_is_small = || name.as_bytes().get(at + 1).is_some_and(u8::is_ascii_lowercase);
        let begins = letter.is_ascii_uppercase() && (before.is_ascii_lowercase() || before.is_ascii_uppercase() && next_is_small());
        if is_letter {
            if (begins || !(before.is_ascii_alphabetic() || before >= 0x80)) && !words.is_empty() {
                words.push(' ');
            }
            words.push(letter.to_ascii_lowercase());
        }
        before = name.as_bytes()[at];
    }
    words
}

/// Letters beyond ASCII as they are in the tables: small, each mark above or below gone, letters of Korean in syllables, wide and mathematical
/// letters as ASCII. Letters of ASCII stay as they are, because large ones begin words.
#[inline(never)]
fn fold(name: &str) -> String {
    /// A letter, and those that are it with a mark.
    const LATIN: &str = "aáàâãäåąăāạảậẩấ cçćč dđ eéèêëęěēế gğ iíîïıīị lł nñńň oóòôõöőøōộ rř sśşšș tțţ uúùûüůűūư yý zźżž οό ηή ωώ иий";
    const HALF_WIDTH: &str =
        "ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン";
    let mut folded = String::with_capacity(name.len());
    for letter in name.chars() {
        let code = letter as u32;
        let before = folded.chars().next_back().map_or(0, u32::from);
        let from = |code: u32| char::from_u32(code).unwrap_or(letter);
        let with_before = match code {
            0x1161..0x1176 if (0x1100..0x1113).contains(&before) => Some(0xac00 + (before - 0x1100) * 588 + (code - 0x1161) * 28),
            0x11a8..0x11c3 if (0xac00..0xd7a4).contains(&before) => Some(before + code - 0x11a7),
            _ => None,
        };
        if with_before.is_some() {
            folded.pop();
        }
        match with_before.unwrap_or(code) {
            0xa0 | 0x202f | 0x3000 => folded.push(' '),
            0x300..0x370 | 0x3099 | 0x309a | 0xff9e | 0xff9f => {}
            code @ 0xff01..0xff5f => folded.push(from(code - 0xfee0)),
            code @ 0xff66..0xff9e => folded.extend(HALF_WIDTH.chars().nth(code as usize - 0xff66)),
            code @ 0x30ac..=0x30c2 => folded.push(from(code - (code + 1) % 2)),
            code @ 0x30c4..0x30ca => folded.push(from(code - code % 2)),
            code @ 0x30cf..0x30de => folded.push(from(code - code % 3)),
            code @ 0x1d400..0x1d6a4 => {
                let place = ((code - 0x1d400) % 52) as u8;
                folded.push(char::from(if place < 26 { b'A' + place } else { b'a' + place - 26 }));
            }
            code => from(code).to_lowercase().for_each(|small| {
                let base = LATIN.split(' ').find(|group| group.contains(small)).and_then(|group| group.chars().next()).unwrap_or(small);
                folded.push(if letter.is_uppercase() { base.to_ascii_uppercase() } else { base });
            }),
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_in_ascii_holds_a_part_that_tells_a_text_of_one() {
        let lists = [PASSWORDS, PASSWORD_WORDS, SECRETS, AT_THE_END, "clave chave parola chiave klucz jeton key token"];
        for word in lists.iter().flat_map(|list| list.split_whitespace()).filter(|word| word.is_ascii()) {
            // Written `khẩu`.
            assert!(has_part(word.as_bytes()) || matches!(word, "khau"), "{word}");
        }
    }

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
            assert_eq!(words_of(name.as_bytes()), words);
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
