//! Whether a call reads or acts: by what is declared, by an approval, by the method in its input, and by the verb of its name.
//! Not by the length of a text, and never by what a result says.

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::digest::verbs::{
    ACTS, ACTS_UNSPACED, DEEDS_BEFORE_THINGS, DEEDS_OR_THINGS, GESTURES, INFORMATION_NOUNS, READS, READS_OR_ACTS, READS_UNSPACED,
};
use crate::json::{Value, letters_of_name};
use crate::text::hash::HashMap;

/// Words of a name that are looked at.
const WORDS: usize = 12;
/// Names of which is remembered what they say, and the longest of them in bytes. A server has agents of many kinds.
const MOST_KNOWN: usize = 512;
const KNOWN_BYTES: usize = 128;
/// Fields of an input that say what one tool of several uses does. A longer text is no order: `{ action: 'Buy now' }` says a button.
const ORDERS: [&str; 7] = ["action", "operation", "op", "command", "cmd", "method", "mode"];
const ORDER_BYTES: usize = 40;
const ORDER_WORDS: usize = 3;
/// Fields of an input that hold a command of a shell or of a program.
const COMMANDS: [&str; 4] = ["command", "cmd", "args", "argv"];
/// Words of a command among which its verb stands: `gh pr merge`.
const COMMAND_WORDS: usize = 4;
/// Fields of an input that name a method of HTTP.
const METHODS: [&str; 5] = ["method", "httpmethod", "requestmethod", "httpverb", "verb"];
/// Fields of an input that hold a statement of a query language; what a `query` asks may be in plain words.
const STATEMENTS: [&str; 4] = ["sql", "query", "statement", "mutation"];
/// Words in the name of a tool that calls another one.
const CALLS: [&str; 3] = ["call", "tool", "mcp"];

/// What a call does to the world outside of the conversation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Effect {
    /// It only looks something up: it may be called again.
    Reads,
    /// It changes something. Never offered for repetition.
    Acts,
    /// Nobody knows.
    #[default]
    Unknown,
}

/// What a call does, by its input and its name; a tool's declaration and approvals go before it (`tools::Tools`).
pub fn effect_of_call(tool: &str, input: &Value<'_>) -> Effect {
    by_method(input).unwrap_or_else(|| by_name(tool))
}

/// Whether the name of a tool leaves it to the input what is done: it does not say, or says that another tool is called.
pub fn is_told_by_input(tool: &str) -> bool {
    match by_name(tool) {
        Effect::Unknown => true,
        Effect::Acts => words_of(tool).iter().any(|word| CALLS.contains(&word.as_str())),
        Effect::Reads => false,
    }
}

/// The orders in an input, each with what may stand behind it: `create [draft]`.
pub fn orders_of<'v>(input: &'v Value<'_>) -> impl Iterator<Item = &'v str> {
    let members = if let Value::Map(members) = input { members.as_slice() } else { &[] };
    let of = move |wanted: &'static str| members.iter().find(|(name, _)| is_called(name, &[wanted])).and_then(|(_, value)| value.as_str());
    let is_short = |order: &&str| order.len() <= ORDER_BYTES && order.split_whitespace().count() <= ORDER_WORDS;
    ORDERS.into_iter().filter_map(of).filter(is_short)
}

/// Whether a field is one of these, however its words are joined.
pub fn is_called(name: &str, wanted: &[&str]) -> bool {
    if name.is_ascii() {
        let letters = || name.bytes().filter(|letter| !matches!(letter, b'_' | b'-')).map(|letter| letter.to_ascii_lowercase());
        let length = letters().count();
        return wanted.iter().any(|wanted| wanted.len() == length && letters().eq(wanted.bytes()));
    }
    wanted.iter().any(|wanted| letters_of_name(name).eq(wanted.chars()))
}

/// Whether a tool clicks, types or scrolls. What came of it may be more than that: only its answer shows.
pub fn is_gesture(tool: &str) -> bool {
    words_of(tool).iter().any(|word| is_one_of(word, Table::Gestures))
}

/// What the input itself says: an HTTP method, a statement, the order to a tool of several uses. Nothing where the name has to say it.
fn by_method(input: &Value<'_>) -> Option<Effect> {
    let Value::Map(members) = input else { return None };
    let within = members.iter().map(|(_, value)| value).filter(|value| matches!(value, Value::Map(_)));
    let by_http = std::iter::once(input).chain(within).find_map(by_http_method);
    let by_order = || {
        let effects = orders_of(input).map(|order| by_name(order.split([' ', '[', '(']).next().unwrap_or_default()));
        effects.into_iter().find(|effect| *effect != Effect::Unknown)
    };
    by_http.or_else(|| by_statement_in(members)).or_else(by_order).or_else(|| has_command(members).then_some(Effect::Acts))
}

/// What the method of a request says.
fn by_http_method(request: &Value<'_>) -> Option<Effect> {
    let Value::Map(members) = request else { return None };
    members.iter().filter(|(name, _)| is_called(name, &METHODS)).find_map(|(_, value)| {
        match value.as_str().map(str::to_ascii_uppercase).as_deref() {
            Some("GET" | "HEAD" | "OPTIONS") => Some(Effect::Reads),
            Some("PUT" | "PATCH" | "DELETE") => Some(Effect::Acts),
            Some("POST") => Some(by_body(request)),
            _ => None,
        }
    })
}

/// Whether an input holds a command that changes something.
fn has_command(members: &[(Cow<'_, str>, Value<'_>)]) -> bool {
    members.iter().any(|(name, value)| is_called(name, &COMMANDS) && changes_something(&value.joined_leaves(" ")))
}

/// Whether one of the commands in a line has a verb that changes something: `kubectl delete`, `helm rollback`, `git push`. One without may do
/// so as well.
fn changes_something(line: &str) -> bool {
    // What follows is another text.
    let line = line.split("<<").next().unwrap_or_default();
    line.split(['&', '|', ';', '\n']).any(|command| {
        let words = command.split_whitespace().take_while(|word| !word.starts_with(['"', '\'', '$', '`']));
        let is_plain = |word: &&str| !word.starts_with('-') && word.bytes().all(|byte| byte.is_ascii_lowercase());
        let mut plain = words.filter(is_plain).take(COMMAND_WORDS).take_while(|word| !is_one_of(word, Table::Reads));
        // `set` says how a shell runs.
        let is_thing = |word: &str| is_one_of(word, Table::DeedsOrThings) || is_one_of(word, Table::Gestures) || word == "set";
        plain.any(|word| is_one_of(word, Table::Acts) && !is_thing(word))
    })
}

/// What the statement in an input does. What nobody can read in a field for statements is not known, whatever the tool is called.
fn by_statement_in(members: &[(Cow<'_, str>, Value<'_>)]) -> Option<Effect> {
    STATEMENTS.iter().find_map(|wanted| {
        let (name, text) = members.iter().find_map(|(name, value)| Some((name, value.as_str()?)).filter(|_| is_called(name, &[wanted])))?;
        Some(by_statements(text)).filter(|effect| *effect != Effect::Unknown || !is_called(name, &["query"]))
    })
}

/// A POST acts unless its body is a query.
fn by_body(input: &Value<'_>) -> Effect {
    let body = ["body", "data", "json", "payload"].iter().find_map(|name| input.get(name));
    let query = body.and_then(|body| match body {
        Value::Map(_) => STATEMENTS.iter().find_map(|name| body.get(name)).and_then(Value::as_str).map(str::to_owned),
        Value::Text(text) => Value::parse(text).and_then(|inner| Some(inner.get("query")?.as_str()?.to_owned())),
        _ => None,
    });
    match query.map(|query| by_statements(&query)) {
        Some(Effect::Reads) => Effect::Reads,
        Some(Effect::Unknown) if body.is_some_and(|body| body.get("query").is_some()) => Effect::Reads,
        _ => Effect::Acts,
    }
}

/// What statements of SQL or GraphQL do, one after the other: what one of them does.
fn by_statements(text: &str) -> Effect {
    let lower: String = text.chars().take(4_000).map(|letter| letter.to_ascii_lowercase()).collect();
    // Comments stand before a statement, and beside it.
    let blocks =
        lower.split("/*").enumerate().map(|(at, part)| if at == 0 { part } else { part.split_once("*/").map_or("", |(_, rest)| rest) });
    let code = blocks.collect::<Vec<_>>().join(" ");
    let lines = code.lines().map(|line| line.split("--").next().unwrap_or_default()).filter(|line| !line.trim_start().starts_with('#'));
    let code = lines.collect::<Vec<_>>().join("\n");
    let mut effects = code.split(';').filter(|statement| !statement.trim().is_empty()).map(by_statement);
    let first = effects.next().unwrap_or_default();
    effects.fold(first, |all, effect| match (all, effect) {
        (Effect::Acts, _) | (_, Effect::Acts) => Effect::Acts,
        (Effect::Reads, Effect::Reads) => Effect::Reads,
        _ => Effect::Unknown,
    })
}

/// What a statement does, in small letters.
fn by_statement(text: &str) -> Effect {
    let words: Vec<&str> =
        text.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_')).filter(|word| !word.is_empty()).collect();
    let has = |word: &str| words.contains(&word);
    let is_graph = text.contains('{');
    match (words.first().copied().unwrap_or_default(), words.get(1).copied().unwrap_or_default()) {
        ("insert" | "replace" | "merge" | "upsert", "into") | ("delete", "from") => Effect::Acts,
        ("insert", "or" | "ignore") if has("into") => Effect::Acts,
        ("update", _) if has("set") => Effect::Acts,
        ("drop" | "alter" | "create" | "truncate", "table" | "index" | "view" | "schema" | "database" | "column" | "or" | "unique") => {
            Effect::Acts
        }
        ("select", _) if has("into") => Effect::Unknown,
        ("explain", _) if has("analyze") => Effect::Unknown,
        ("select" | "show" | "explain" | "describe" | "pragma", second) if !second.is_empty() => Effect::Reads,
        ("with", _) if has("insert") || has("update") || has("delete") || has("merge") => Effect::Acts,
        ("with", _) if has("select") => Effect::Reads,
        _ if is_graph && has("mutation") => Effect::Acts,
        ("query", _) if is_graph => Effect::Reads,
        _ => Effect::Unknown,
    }
}

/// What the words of a name say, which are read once: an agent has few tools, and calls them thousands of times.
fn by_name(tool: &str) -> Effect {
    thread_local! {
        static KNOWN: RefCell<HashMap<String, Effect>> = RefCell::default();
    }
    if let Some(known) = KNOWN.with_borrow(|known| known.get(tool).copied()) {
        return known;
    }
    let effect = by_words(tool);
    if tool.len() <= KNOWN_BYTES {
        KNOWN.with_borrow_mut(|known| {
            if known.len() >= MOST_KNOWN {
                known.clear();
            }
            known.insert(tool.to_owned(), effect);
        });
    }
    effect
}

/// The same, read anew. A verb stands first or last in it; what looks something up wins over a noun.
fn by_words(tool: &str) -> Effect {
    let by_script = if tool.is_ascii() { Effect::Unknown } else { by_unspaced(own_name(tool)) };
    if by_script != Effect::Unknown {
        return by_script;
    }
    let words = words_of(tool);
    let Some((first, rest)) = words.split_first() else { return Effect::Unknown };
    let last = words.last().unwrap_or(first).as_str();
    let acts = |word: &str| is_one_of(word, Table::Acts);
    let is_thing = |word: &str| is_one_of(word, Table::DeedsOrThings);
    let is_information = |word: &str| is_one_of(word, Table::InformationNouns);
    // Of a verb that may do either, something else in the name must say that it reads: `check_availability`, but not `check_in`.
    let says_more = words.iter().any(|word| is_one_of(word, Table::Reads) || is_information(word));
    let reads =
        |word: &str| is_one_of(word, Table::Reads) || is_one_of(word, Table::ReadsOrActs) && (says_more || is_list_of(word, &words));
    // `get_or_create`, `find_and_replace`: the deed counts.
    let joined = rest.iter().position(|word| matches!(word.as_str(), "or" | "and" | "then"));
    if joined.is_some_and(|at| rest[at + 1..].iter().any(|word| acts(word))) {
        return Effect::Acts;
    }
    if reads(first) {
        return Effect::Reads;
    }
    // `order_search`, and `order_book_export`, of which nobody knows.
    let is_of_thing = |word: &String| reads(word) || is_information(word) || is_one_of(word, Table::ReadsOrActs);
    if acts(first) && !(is_thing(first) && rest.iter().any(is_of_thing)) {
        return Effect::Acts;
    }
    if reads(last) {
        return Effect::Reads;
    }
    if is_information(last) {
        return Effect::Reads;
    }
    if acts(last) && !is_thing(last) {
        return Effect::Acts;
    }
    let middle = &words[..words.len() - 1];
    if middle.iter().any(|word| acts(word) && !is_thing(word)) {
        return Effect::Acts;
    }
    if middle.iter().any(|word| reads(word)) {
        return Effect::Reads;
    }
    if !is_one_of(last, Table::ReadsOrActs) && middle.iter().skip(1).any(|word| is_one_of(word, Table::DeedsBeforeThings)) {
        return Effect::Acts;
    }
    let is_of_thing = |word: &String| is_information(word) || is_one_of(word, Table::ReadsOrActs);
    let is_deed = is_thing(first) && words.len() > 1 && !words.iter().any(is_of_thing);
    match is_deed || words.len() == 1 && acts(last) {
        true => Effect::Acts,
        false => Effect::Unknown,
    }
}

/// Whether a word of a name is a list of many things, as in `list_orders`, `orders_list` and `list`: one thing may be listed for sale.
fn is_list_of(word: &str, words: &[String]) -> bool {
    let last = words.last().map_or("", String::as_str);
    word == "list" && (last == word || last.ends_with('s'))
}

/// Chinese, Japanese and Korean names: the verb stands first or last; where both stand, the end counts unless it is part of a noun.
fn by_unspaced(name: &str) -> Effect {
    let bare = name.trim_end_matches(['す', 'る', 'し', '하', '기']);
    let ends = |table: &str| table.split_whitespace().any(|word| bare.ends_with(word) || name.ends_with(word));
    let begins = |table: &str| table.split_whitespace().any(|word| name.starts_with(word));
    let holds = |table: &str| table.split_whitespace().any(|word| name.contains(word));
    match () {
        () if ends(READS_UNSPACED) => Effect::Reads,
        () if begins(READS_UNSPACED) => Effect::Reads,
        () if ends(ACTS_UNSPACED) || begins(ACTS_UNSPACED) => Effect::Acts,
        () if holds(READS_UNSPACED) => Effect::Reads,
        () if holds(ACTS_UNSPACED) => Effect::Acts,
        () => Effect::Unknown,
    }
}

/// The tables of verbs, one bit each. First sight reads the name of each call: to part the tables anew each time made it twice as slow.
#[derive(Clone, Copy)]
#[repr(u8)]
enum Table {
    Reads = 1,
    Acts = 2,
    DeedsOrThings = 4,
    InformationNouns = 8,
    Gestures = 16,
    ReadsOrActs = 32,
    DeedsBeforeThings = 64,
}

/// Each word of the tables with the bits of those that it is in.
static WORDS_OF_TABLES: LazyLock<HashMap<&'static str, u8>> = LazyLock::new(|| {
    let tables = [
        (Table::Reads, READS),
        (Table::Acts, ACTS),
        (Table::DeedsOrThings, DEEDS_OR_THINGS),
        (Table::InformationNouns, INFORMATION_NOUNS),
        (Table::Gestures, GESTURES),
        (Table::ReadsOrActs, READS_OR_ACTS),
        (Table::DeedsBeforeThings, DEEDS_BEFORE_THINGS),
    ];
    let mut words: HashMap<&'static str, u8> = HashMap::default();
    for (table, text) in tables {
        text.split_whitespace().for_each(|word| *words.entry(word).or_default() |= table as u8);
    }
    words
});

/// Whether a word is in a table.
fn is_one_of(word: &str, table: Table) -> bool {
    WORDS_OF_TABLES.get(word).is_some_and(|bits| bits & table as u8 != 0)
}

/// A name without the server it belongs to.
pub fn own_name(tool: &str) -> &str {
    let own = if tool.starts_with("mcp_") { tool.rsplit("__").next().unwrap_or(tool) } else { tool };
    own.rsplit(['.', '/', ':']).next().unwrap_or(own)
}

/// The words of a name in small letters: `gmail_sendMessage2` is gmail, send, message.
fn words_of(tool: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let (mut word, mut before) = (String::new(), ' ');
    let letters: Vec<char> = own_name(tool).chars().take(128).collect();
    for (at, letter) in letters.iter().copied().enumerate() {
        let next_is_small = letters.get(at + 1).is_some_and(|next| next.is_lowercase());
        let begins = letter.is_uppercase() && (before.is_lowercase() || before.is_uppercase() && next_is_small);
        if (begins || !letter.is_alphabetic()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if letter.is_alphabetic() {
            word.extend(letter.to_lowercase());
        }
        before = letter;
    }
    if !word.is_empty() {
        words.push(word);
    }
    words.truncate(WORDS);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn effect(tool: &str, input: &str) -> Effect {
        effect_of_call(tool, &Value::parse(input).unwrap_or(Value::Null))
    }

    #[test]
    fn a_name_is_split_into_its_words() {
        for (name, words) in [
            ("gmail_sendMessage2", &["gmail", "send", "message"][..]),
            ("mcp__shop__get-HTTPStatus", &["get", "http", "status"]),
            ("GitHub.createPR", &["create", "pr"]),
            ("rechnungStornieren", &["rechnung", "stornieren"]),
            ("", &[]),
        ] {
            assert_eq!(words_of(name), words, "{name}");
        }
    }

    #[test]
    fn the_verb_of_a_name_says_what_it_does_and_reading_wins_over_nouns() {
        use Effect::{Acts, Reads, Unknown};
        for (name, expected) in [
            ("refundPayment", Acts),
            ("order_search", Reads),
            ("order_status", Reads),
            ("order_book_export", Unknown),
            ("option_poser", Acts),
            ("get_or_create_customer", Acts),
            ("list_created_tickets", Reads),
            ("gmail_send", Acts),
            ("browser_click", Acts),
            ("checkout", Acts),
            ("travel_book_hotel", Acts),
            ("stripe_refund_payment", Acts),
            ("contact_book", Unknown),
            ("weatherstation", Unknown),
            // Verbs that do either say nothing alone.
            ("check_availability", Reads),
            ("check_in_guest", Unknown),
            ("load_gift_card", Unknown),
            ("resolve_ticket", Unknown),
            ("ticket_recall", Unknown),
            ("list_orders", Reads),
            ("orders_list", Reads),
            ("list_item_for_sale", Unknown),
            // Opening a page looks something up, opening an account does not.
            ("open_page", Unknown),
            ("product_page", Unknown),
            ("予約を作成", Acts),
            ("查询订单", Reads),
            ("주문조회", Reads),
            ("создатьЗаказ", Acts),
            ("", Unknown),
        ] {
            assert_eq!(effect(name, "{}"), expected, "{name}");
        }
    }

    #[test]
    fn what_is_done_to_a_page_is_no_transfer() {
        for (name, expected) in
            [("browser_click", true), ("page.fillForm", true), ("bank__move_funds", false), ("erp.close_purchase_order", false)]
        {
            assert_eq!(is_gesture(name), expected, "{name}");
        }
    }

    #[test]
    fn a_method_goes_before_the_name() {
        use Effect::{Acts, Reads, Unknown};
        for (name, input, expected) in [
            ("fetch", r#"{"url":"https://a.test","method":"DELETE"}"#, Acts),
            ("http", r#"{"method":"GET"}"#, Reads),
            ("http", r#"{"method":"POST","body":{"room":4}}"#, Acts),
            ("http", r#"{"method":"post","body":{"query":"query { orders { id } }"}}"#, Reads),
            ("http", r#"{"method":"POST","body":{"query":"mutation { pay(id: 1) { id } }"}}"#, Acts),
            ("runQuery", r#"{"sql":"DELETE FROM orders WHERE id = 1"}"#, Acts),
            ("execute", r#"{"sql":"select * from orders"}"#, Reads),
            ("execute", r#"{"sql":"with old as (delete from t returning *) select * from old"}"#, Acts),
            ("run_query", r#"{"query":"-- by hand\nUPDATE t SET a = 1"}"#, Acts),
            ("run_query", r#"{"query":"/* old */ INSERT OR REPLACE INTO t VALUES (1)"}"#, Acts),
            ("run_query", r#"{"sql":"SELECT 1; DELETE FROM t"}"#, Acts),
            ("run_query", r#"{"sql":"-- total\nSELECT replace(a, 'x', 'y') FROM t;"}"#, Reads),
            ("run_query", r#"{"sql":"CALL cancel_order(7)"}"#, Unknown),
            ("graphql_query", r#"{"query":"fragment F on X { id } mutation { pay { ...F } }"}"#, Acts),
            ("web_search", r#"{"query":"mutation rates; delete key"}"#, Reads),
            ("web_search", r#"{"query":"insert or update in sqlite"}"#, Reads),
            ("fetch_url", r#"{"url":"https://a.test","init":{"method":"POST","body":"{}"}}"#, Acts),
            ("crm", r#"{"mode":"update","id":"7"}"#, Acts),
            ("calendar", r#"{"action":"create","title":"x"}"#, Acts),
            ("calendar", r#"{"action":"list"}"#, Reads),
            ("thing", r#"{"query":"update me on the weather"}"#, Unknown),
            ("kube", r#"{"args":"delete pod web-7 -n prod"}"#, Acts),
            ("kube", r#"{"args":"-n prod get pods"}"#, Unknown),
            ("box", r#"{"cmd":"cd /srv && git -C app push origin main"}"#, Acts),
            ("box", r#"{"argv":["gh","pr","merge","77"]}"#, Acts),
            ("box", r#"{"cmd":"grep -rn delete src | head; git log main"}"#, Unknown),
            ("box", r#"{"cmd":"set -e; python - <<END\ndelete x\nEND"}"#, Unknown),
        ] {
            assert_eq!(effect(name, input), expected, "{name} {input}");
        }
    }
}
