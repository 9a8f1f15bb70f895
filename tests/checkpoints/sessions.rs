//! Made-up sessions of six kinds of agents, with tools of their own, in several languages. No transcripts.

use stepfold::model::message::{Message, Output, Part, Role};
use stepfold::tokens::estimate::estimate_tokens;

use crate::hand::{self, call, message};

/// A session that grows by what is said and done.
pub struct Session {
    /// So far.
    pub messages: Vec<Message>,
    calls: usize,
}

/// Estimated tokens of a text.
pub fn text(text: &str) -> u32 {
    estimate_tokens(text)
}

impl Session {
    /// Begins with a request.
    pub fn new(request: &str) -> Session {
        Session { messages: vec![Message::text(Role::User, request)], calls: 0 }
    }

    /// The model answers.
    pub fn say(&mut self, text: &str) {
        self.messages.push(Message::text(Role::Assistant, text));
    }

    /// The user says something.
    pub fn ask(&mut self, text: &str) {
        self.messages.push(Message::text(Role::User, text));
    }

    /// One call and its result.
    pub fn call(&mut self, tool: &str, input: &str, result: &str) {
        self.step("", tool, input, result);
    }

    /// A call beside which the model says something.
    pub fn step(&mut self, said: &str, tool: &str, input: &str, result: &str) {
        self.calls += 1;
        let id = format!("call_{}", self.calls);
        let mut parts = if said.is_empty() { Vec::new() } else { vec![Part::text(said)] };
        parts.push(call(&id, tool, input));
        self.messages.push(message(Role::Assistant, parts));
        let fails = result.starts_with("error");
        let output = if fails { Output::ErrorText(result.into()) } else { Output::Text(result.into()) };
        self.messages.push(message(Role::Tool, vec![hand::result(&id, tool, output)]));
    }
}

const PARSER: &str = "use std::io;\n\n/// Splits a text into records.\npub fn parse_records(text: &str) -> Vec<Record> {\n    let mut records = Vec::new();\n    for line in text.split_terminator('\\n') {\n        records.push(Record::from_line(line));\n    }\n    records\n}\n";
const OLD: &str = "    for line in text.split_terminator('\\n') {";
const NEW: &str = "    for line in text.lines().filter(|line| !line.is_empty()) {";
const FAILS: &str = "running 3 tests\ntest keeps_last_line ... FAILED\n\nthread 'keeps_last_line' panicked at tests/records.rs:14:5:\nassertion `left == right` failed\n  left: 2\n right: 3\n\ntest result: FAILED. 2 passed; 1 failed; 0 ignored";

fn json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn todos(first: &str, second: &str) -> String {
    format!(
        r#"{{"todos":[{{"content":"Mend parse_records","status":"{first}"}},{{"content":"Write the changelog","status":"{second}"}}]}}"#
    )
}

/// Looked for, found, agreed, mended, tested; the changelog is left.
fn coding() -> Vec<Message> {
    let mut session =
        Session::new("The last record of a CRLF file is lost. Find out why and mend it. Do not add dependencies. Never commit to main.");
    session.call("TodoWrite", &todos("in_progress", "pending"), "Todos have been modified successfully.");
    let hits = "src/parser.rs:4:pub fn parse_records(text: &str)\nsrc/main.rs:9:    let records = parse_records(&text);";
    session.step("Let me look for it.", "searchCode", r#"{"pattern":"parse_records"}"#, hits);
    session.call("readFile", r#"{"path":"src/parser.rs"}"#, PARSER);
    let cause = "The last record is lost because `split_terminator` drops what stands behind the last newline of a CRLF file.";
    session.step(cause, "runTests", r#"{"package":"parser"}"#, &format!("error: {FAILS}"));
    session.say("`parse_records` splits at `\\n` only. I propose `str::lines`, which knows both line ends.\n\nShall I do it?");
    session.ask("yes, but keep the signature");
    let edit = format!(r#"{{"path":"src/parser.rs","find":{},"put":{}}}"#, json(OLD), json(NEW));
    session.step("Now I'll change it.", "applyChange", &edit, r#"{"ok":true,"changeId":"CH-104","added":1,"removed":1}"#);
    session.call("runTests", r#"{"package":"parser"}"#, "running 3 tests\ntest result: ok. 3 passed; 0 failed");
    session.call("TodoWrite", &todos("completed", "in_progress"), "Todos have been modified successfully.");
    session.say("All three tests pass.");
    session.ask("Then write the changelog, one line.");
    session.step("Let me see what is in it.", "listFolder", r#"{"path":"."}"#, "CHANGELOG.md\nsrc\ntests");
    session.messages
}

/// A piece of research on the web, with a page that is gone.
fn research() -> Vec<Message> {
    let mut session = Session::new("Which European cities have more than 400 km of cycle lanes? Two sources for each.");
    let hits = r#"[{"title":"Cycling in Amsterdam","url":"https://example.org/amsterdam","content":"The city has 767 km of cycle lanes (report_2024)."}]"#;
    let districts: String =
        (1..40).map(|n| format!("District {n} has {} km of lanes, of which {} km were laid since 2019. ", n % 7 + 3, n % 3 + 1)).collect();
    let page = format!("# Cycling\n\n{districts}\n\nThe city has 767 km of cycle lanes, says report_2024.\n\n{districts}");
    session.step("I start with Amsterdam.", "web_search", r#"{"query":"Amsterdam cycle lanes km"}"#, hits);
    session.step("Amsterdam has 767 km by report_2024 of the city.", "open_page", r#"{"url":"https://example.org/amsterdam"}"#, &page);
    session.call("open_page", r#"{"url":"https://example.org/berlin"}"#, "error: 404 Not Found");
    session.say("Amsterdam is done: **767 km** (report_2024, city portal). Berlin is next.");
    session.ask("Leave Berlin out, take Copenhagen instead.");
    session.call("web_search", r#"{"query":"Copenhagen cycle lanes km"}"#, "[]");
    session.messages
}

/// A customer who is given money back, with a wish that outlives it.
fn support() -> Vec<Message> {
    let mut session = Session::new("Guten Tag, an Bestellung B-118402 fehlen zwei Pflanzen. Bitte nie anrufen, ich bin gehörlos.");
    let others: String = (0..24)
        .map(|n| format!(r#"{{"artikelNr":"GW-{}","name":"Staude {n}","menge":{n},"preis":"{n},15","lager":"H{n}-R2"}},"#, 3_300 + n))
        .collect();
    let order = format!(
        r#"{{"bestellNr":"B-118402","kundenNr":"KD-77210","status":"geliefert","positionen":[{others}{{"artikelNr":"GW-2207","name":"Felsenbirne","menge":12,"preis":"23,90"}}],"spur":"sp-1"}}"#
    );
    session.call("bestellungLesen", r#"{"bestellNr":"B-118402"}"#, &order);
    session.say("Das tut mir leid. Soll ich zwei Felsenbirnen nachsenden oder den Betrag von 47,80 Euro erstatten?");
    session.ask("erstatten");
    session.step(
        "Ich erstatte die zwei Felsenbirnen.",
        "erstattungAnlegen",
        r#"{"bestellNr":"B-118402","artikelNr":"GW-2207","betrag":"47,80"}"#,
        r#"{"erstattungId":"ERS-5521","betrag":"47,80","status":"gebucht","wertstellung":"2026-03-31","spur":"sp-2"}"#,
    );
    session.say("Die Erstattung ERS-5521 über 47,80 Euro ist gebucht.");
    session.ask("Danke! Sind die Früchte der Felsenbirne eigentlich essbar?");
    session.call(
        "produktseite",
        r#"{"artikelNr":"GW-2207"}"#,
        "# Felsenbirne GW-2207\n\n## Standort\nSonnig bis halbschattig.\n\n## Verträglichkeit\nDie Früchte sind essbar; roh schmecken sie am besten im Juli.",
    );
    session.messages
}

/// A form on a website, filled by clicks; the reference stands in the page that a click returned.
fn browser() -> Vec<Message> {
    let mut session = Session::new("Apply for the street trading licence. Never tick marketing boxes. My stall is 2.4 m wide.");
    let menu: String = (0..12).map(|n| format!("  - link \"Topic {n}\" [ref=e{n}]:\n    - /url: /t{n}\n")).collect();
    let page = |url: &str, body: &str| format!("- Page URL: https://council.example{url}\n- navigation:\n{menu}- main:\n{body}");
    session.call("browser_open", r#"{"url":"https://council.example/apply"}"#, &page("/apply", "  - textbox \"Width in m\" [ref=e40]\n"));
    session.call(
        "browser_type",
        r#"{"element":"Width in m","ref":"e40","text":"2.4"}"#,
        &page("/apply", "  - textbox \"Width in m\" [ref=e40]: 2.4\n"),
    );
    session.call(
        "browser_click",
        r#"{"element":"Save","ref":"e41"}"#,
        &page("/apply/2", "  - status: Application TR-2026-00871 saved. The draft is deleted on 2 March.\n"),
    );
    session.say("Saved as TR-2026-00871. It asks for a hygiene registration.");
    session.ask("THB/F/5523");
    session.call("browser_open", r#"{"url":"https://council.example/apply/2"}"#, &page("/apply/2", "  - textbox \"Hygiene\" [ref=e43]\n"));
    session.messages
}

/// Questions to a database in Spanish, and a figure that was corrected.
fn analysis() -> Vec<Message> {
    let mut session = Session::new("¿Por qué cayó el margen en el segundo semestre? Todo sin IVA, y la tienda 199 nunca cuenta.");
    session.call(
        "consultar_sql",
        r#"{"sql":"select mes, sum(monto_neto) from ventas group by mes"}"#,
        "mes;venta;margen\n2025-07;14200310.55;27.46\n2025-08;15120442.10;26.90\n2025-09;13980114.07;25.15",
    );
    session.say("La venta suma 43,300,866.72 pesos y el margen baja de 27.46 % a 25.15 %.");
    session.ask("Eso se ve alto. ¿Quitaste los cancelados?");
    session.step(
        "No los había quitado: repito sin el estatus C.",
        "consultar_sql",
        r#"{"sql":"select mes, sum(monto_neto) from ventas where estatus <> 'C' group by mes"}"#,
        "mes;venta;margen\n2025-07;13990222.15;27.46\n2025-08;14870001.70;26.91\n2025-09;13640920.33;25.12",
    );
    session.call("consultar_sql", r#"{"sql":"select * from ventas_2024"}"#, "error: permission denied for schema prod");
    let stores: String = (101..=160).map(|store| format!("{store};{}.40;{}.{}\n", 20 * store + 7, store % 9 + 20, store % 10)).collect();
    session.call(
        "consultar_sql",
        r#"{"sql":"select tienda, sum(monto_neto), margen from ventas group by tienda"}"#,
        &format!("tienda;venta;margen\n{stores}"),
    );
    session.messages
}

/// A journey in Japanese: booked, and a wish that was said once.
fn travel() -> Vec<Message> {
    let mut session = Session::new("五月三日に東京から京都へ家族四人で行きたいです。娘は卵アレルギーがあります。");
    let others: String = (0..16)
        .map(|n| {
            format!(
                r#"{{"便名":"こだま{}","出発":"{}:{:02}","到着":"{}:10","残席":{n},"料金":"13,320円","設備":"車内販売なし"}},"#,
                701 + n,
                7 + n / 2,
                3 * n,
                11 + n / 2
            )
        })
        .collect();
    let trains = format!(
        r#"{{"列車":[{others}{{"便名":"のぞみ215","出発":"09:21","到着":"11:32","残席":6,"料金":"14,170円"}},{{"便名":"ひかり507","出発":"10:03","到着":"12:43","残席":20,"料金":"13,850円"}}],"件数":18}}"#
    );
    session.call("列車検索", r#"{"出発地":"東京","到着地":"京都","日付":"2026-05-03"}"#, &trains);
    session.say("のぞみ215（9時21分発、14,170円）とひかり507があります。どちらにしますか？");
    session.ask("のぞみで。窓側をお願いします");
    session.call(
        "座席予約",
        r#"{"便名":"のぞみ215","人数":4,"座席":"窓側"}"#,
        r#"{"予約番号":"R-20931","状態":"確定","合計":"56,680円","号車":12}"#,
    );
    session.say("予約番号R-20931で確定しました。");
    session.ask("ありがとう。京都駅の近くで昼ごはんを食べたいです");
    session.call(
        "店舗検索",
        r#"{"地域":"京都駅","種類":"昼食"}"#,
        r#"[{"店名":"鴨川亭","営業時間":"11:00-14:30","卵不使用メニュー":true},{"店名":"東山庵","営業時間":"11:30-15:00","卵不使用メニュー":false}]"#,
    );
    session.messages
}

/// Each session with its name and the window it is folded in.
pub fn all() -> Vec<(&'static str, f64, Vec<Message>)> {
    vec![
        ("coding", 64_000.0, coding()),
        ("research", 64_000.0, research()),
        ("support", 32_000.0, support()),
        ("browser", 32_000.0, browser()),
        ("analysis", 16_000.0, analysis()),
        ("travel", 128_000.0, travel()),
    ]
}
