//! Passwords that commands are given as options: `curl -u ann:…`, `mysql -p…`. What a letter means is told by the command before it on
//! the line: `-p` is a port elsewhere. Options that are named (`--password`) are told by their names.

use crate::text::bytes::{DIGIT, LETTER, kind};
use crate::text::redact::places::find;

/// What an option is followed by.
#[derive(Clone, Copy, PartialEq)]
enum Is {
    /// A password.
    Word,
    /// A password without a blank before it.
    Joined,
    /// A user, a mark and a password.
    Pair,
}

/// Options, what follows them, and the commands of which that is true; of none where it always is.
/// Sources: the manuals of the commands; `curl-auth-user` of gitleaks 8.30.
const OPTIONS: &[(&str, Is, &str)] = &[
    ("--user", Is::Pair, "curl wget"),
    ("--proxy-user", Is::Pair, "curl"),
    ("--auth", Is::Pair, "http https xh wrk hey"),
    ("-u", Is::Pair, "curl lftp xh"),
    ("-U", Is::Pair, "curl smbclient rpcclient net"),
    ("-a", Is::Pair, "http https xh hey"),
    ("-a", Is::Word, "redis-cli valkey-cli keydb-cli redis-benchmark"),
    ("-p", Is::Joined, "mysql mysqldump mysqladmin mysqlimport mysqlshow mariadb mariadb-dump mariadb-admin mysqlsh 7z 7za 7zz rar unrar"),
    (
        "-p",
        Is::Word,
        "sshpass mongo mongosh mongodump mongorestore mongoexport mongoimport cqlsh login rabbitmqadmin hydra crackmapexec nxc evil-winrm cypher-shell iotdb couchbase-cli cbq",
    ),
    ("-P", Is::Word, "sqlcmd bcp zip unzip mosquitto_pub mosquitto_sub ipmitool tsql ibmcloud"),
    ("-w", Is::Word, "ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami"),
    ("-W", Is::Word, "isql"),
    ("-storepass", Is::Word, ""),
    ("-keypass", Is::Word, ""),
    ("-passin", Is::Pair, ""),
    ("-passout", Is::Pair, ""),
];

/// As much of the line before an option is searched for its command.
const LINE_BYTES: usize = 160;
const WORD_BYTES: usize = 200;
const LEAST_BYTES: usize = 4;

/// The password behind the option at `at`.
#[inline(never)]
pub fn option(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    let rest = bytes.get(at..)?;
    OPTIONS.iter().find_map(|(flag, is, commands)| {
        let behind = rest.strip_prefix(flag.as_bytes())?;
        let gap = behind.iter().take(6).take_while(|byte| b" =,\"'\\".contains(byte)).count();
        let is_joined = gap == 0 || behind.first().is_some_and(|first| b"\"'\\".contains(first));
        // In a list of arguments a quote follows.
        if (*is == Is::Joined) != (is_joined && !behind.starts_with(b"\",") && !behind.starts_with(b"',")) {
            return None;
        }
        let start = at + flag.len() + gap;
        let quote = bytes.get(start - 1).filter(|byte| matches!(byte, b'"' | b'\''));
        let is_inside = |byte: u8| match quote {
            Some(quote) => byte >= b' ' && byte != *quote && byte != b'\\',
            None => byte > b' ' && !b"\"'`\\;|&<>()".contains(&byte),
        };
        let length = bytes.get(start..)?.iter().take(WORD_BYTES).take_while(|byte| is_inside(**byte)).count();
        let word = bytes.get(start..start + length)?;
        let from = if *is == Is::Pair { word.iter().position(|byte| b":%,".contains(byte))? + 1 } else { 0 };
        let password = word.get(from..)?;
        let is_word = || *is != Is::Pair && password.iter().all(u8::is_ascii_lowercase);
        let is_number = || password.iter().all(|byte| byte.is_ascii_digit() || *byte == b':');
        let is_named = || is_placeholder(word) || is_placeholder(password);
        let is_secret = password.len() >= LEAST_BYTES && !is_number() && !is_named() && !is_word();
        (is_secret && is_of(bytes, at, commands)).then_some((start + from, start + length))
    })
}

/// Whether a name stands in place of a password.
pub fn is_placeholder(word: &[u8]) -> bool {
    let is_name = |rest: &[u8]| rest.iter().all(|byte| kind(*byte) & LETTER != 0 || *byte == b'_');
    match word {
        [b'$', b'{' | b'(', ..] | [b'<' | b'{' | b'*' | b'-', ..] => true,
        [b'$', rest @ ..] => is_name(rest),
        [b'%', rest @ .., b'%'] => is_name(rest),
        _ => false,
    }
}

/// Whether one of these commands stands before `at`, on the same line and in the same command.
fn is_of(bytes: &[u8], at: usize, commands: &str) -> bool {
    let line = bytes.get(at.saturating_sub(LINE_BYTES)..at).unwrap_or_default();
    let line = line.rsplit(|byte| b"\n;|&".contains(byte)).next().unwrap_or_default();
    let is_part = |byte: Option<&u8>| byte.is_some_and(|byte| kind(*byte) & (LETTER | DIGIT) != 0 || matches!(byte, b'-' | b'_'));
    let is_command = |command: &str| {
        let word = command.as_bytes();
        find(line, word).is_some_and(|at| !is_part(line.get(at.wrapping_sub(1))) && !is_part(line.get(at + word.len())))
    };
    commands.is_empty() || commands.split(' ').any(is_command)
}
