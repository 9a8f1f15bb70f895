//! What a call returned, in a line: references, refusals and states first, then amounts and words. Of an act in this order. One idea for
//! all forms of an answer: what has names is read as members (`syntax`), and the rest as sentences. Knows no tool and no language.
//! Not which parts of results are kept (`choose`). Texts come in as results have them; what goes out has no secrets.

mod form;
mod given;
mod prose;
mod values;

use serde::{Deserialize, Serialize};

use crate::results::envelope::Envelope;
pub use crate::results::returned::form::is_id;
pub use crate::results::returned::given::Given;
pub use crate::results::returned::prose::ending;
use crate::results::returned::prose::{WHOLE_COLUMNS, of_text};
use crate::results::returned::values::of_value;
use crate::results::syntax::{Form, read};
use crate::text::clip::{ROOM_CHARS, clean_within, clip, one_line};
use crate::text::json::unwrapped;

/// Columns of the line that says what a call returned.
pub const LINE_COLUMNS: usize = 200;

/// A value of what a call returned, with its name; a text has none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// The name.
    pub name: String,
    /// The value.
    pub value: String,
}

impl Member {
    /// What has no name.
    pub fn of_text(text: &str) -> Member {
        Member { name: String::new(), value: text.to_owned() }
    }

    /// Both in a line.
    pub fn line(&self) -> String {
        format!("{} {}", self.name, self.value).trim().to_owned()
    }
}

/// Members in a line.
pub fn line_of(members: &[Member]) -> String {
    members.iter().map(Member::line).collect::<Vec<_>>().join(", ")
}

/// What a call returned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Returned {
    /// What stands in its line.
    pub members: Vec<Member>,
    /// The reference by which it is listed; empty where it has none that the call does not have.
    pub id: String,
}

impl Returned {
    /// In a line.
    pub fn line(&self) -> String {
        line_of(&self.members)
    }
}

/// The line that is wanted.
#[derive(Clone, Copy)]
pub struct Wanted<'e> {
    /// About so many columns of it; a short answer of an act stands whole.
    pub columns: usize,
    /// What is left out.
    pub envelope: &'e Envelope,
    /// What kind of call it answers.
    pub of: AnswerOf,
}

/// What kind of call an answer is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerOf {
    /// One that acts: what it says of itself is its outcome, its flags first, and the beginning and end of a text.
    Act,
    /// One of which nobody knows, or that may have acted: a flag may be all that says that it was a trial.
    Unknown,
    /// One that reads: other sections hold what is worth it.
    Reading,
}

/// Reads off the text of a result what should outlive it, in a line. What its call was given comes last, or not at all.
pub fn returned(text: &str, given: &Given, wanted: Wanted<'_>) -> Returned {
    let text = unwrapped(text);
    let Returned { members, id } = match read(&text) {
        Form::Value(value) => of_value(&value, given, wanted),
        Form::Text(text) => of_text(&text, wanted),
    };
    let most = if wanted.of == AnswerOf::Act { wanted.columns.max(WHOLE_COLUMNS) } else { wanted.columns };
    let clean = |text: &str| clean_within(&clip(text, most + ROOM_CHARS), most);
    let line = line_of(&members);
    let cleaned = clean(&line);
    // What a secret left of a line is a text: which member it was in nobody knows.
    let mut members = if cleaned == line { members } else { vec![Member::of_text(&cleaned)] };
    members.retain(|member| !member.line().is_empty());
    Returned { members, id: one_line(&clean(&id)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::json::Value;

    fn given(call: &str) -> Given {
        Value::parse(call).as_ref().map_or_else(Given::default, Given::of)
    }

    fn read_of(text: &str, call: &str) -> Returned {
        returned(text, &given(call), Wanted { columns: LINE_COLUMNS, envelope: &Envelope::default(), of: AnswerOf::Unknown })
    }

    #[test]
    fn ids_amounts_and_states_are_kept_whatever_else_a_result_holds() {
        let noise = "x ".repeat(300);
        for (text, line, key) in [
            (
                format!(r#"{{"status":"succeeded","refundId":"re_9XZ12","amount":129.9,"log":"{noise}"}}"#),
                "amount 129.9, refundId re_9XZ12, status succeeded",
                "re_9XZ12",
            ),
            (
                format!(r#"{{"ticket":{{"number":"TCK-20931","state":"open"}},"log":"{noise}"}}"#),
                "ticket number TCK-20931, ticket state open",
                "TCK-20931",
            ),
            (
                format!("Order placed. Your order number is SH-77120.\n{}", "- listitem [ref=e12]\n".repeat(80)),
                "Order placed. Your order number is SH-77120.",
                "SH-77120",
            ),
            (
                format!("- link Housing:\n  - /url: /w3aj3uk\n- status: TR-2026-00871 saved.\n{}", "- text: more\n".repeat(40)),
                "- link Housing: … - status: TR-2026-00871 saved.",
                "TR-2026-00871",
            ),
            (
                format!(r#"{{"salida":"FAIL cart.test\n{noise}\n\n1 failed, 47 passed","codigo":1,"ms":10453}}"#),
                "codigo 1, ms 10453, FAIL cart.test … 1 failed, 47 passed",
                "",
            ),
            (r#"{"booking":"BK-5512"}"#.to_owned(), "booking BK-5512", "BK-5512"),
            (r#"{"予約番号":"R-20931","状態":"確定"}"#.to_owned(), "予約番号 R-20931, 状態 確定", "R-20931"),
            ("saved".to_owned(), "saved", ""),
            (String::new(), "", ""),
        ] {
            let returned = read_of(&text, "");
            assert_eq!((returned.line().as_str(), returned.id.as_str()), (line, key), "{text}");
        }
    }

    #[test]
    fn a_secret_that_only_the_line_before_reveals_is_left_out() {
        let secret = format!("q7Vd{}", "2kLx9TmWz4RbNc8YpJ3s");
        let text = format!("{{\n \"name\": \"API_KEY\",\n \"value\": \"{secret}\"\n}}\n{}", "next line of ORD-771\n".repeat(20));
        let returned = read_of(&text, "");
        assert!(
            !returned.line().contains(&secret) && !returned.id.contains(&secret) && returned.line().contains("ORD-771"),
            "{returned:?}"
        );
    }

    #[test]
    fn what_the_call_says_is_not_repeated() {
        let returned = read_of(
            r#"{"kundenNr":"KD-77210","bestellNr":"B-120355","betrag":"47,25","checksumme":"eqm34dkexx9"}"#,
            r#"{"kundenNr":"KD-77210"}"#,
        );
        assert_eq!(returned.line(), "bestellNr B-120355, betrag 47,25, checksumme eqm34dkexx9");
        assert_eq!(returned.id, "B-120355");
    }

    #[test]
    fn an_act_says_what_it_did_not_do_in_any_form_and_script() {
        let of = |text: &str, call: &str| {
            returned(text, &given(call), Wanted { columns: 130, envelope: &Envelope::default(), of: AnswerOf::Act })
        };
        let log = (0..30).map(|at| format!("2026-11-20T12:{at}:11Z INFO request served id=f{at}34db ms={at}\n")).collect::<String>();
        for (text, call, line) in [
            (
                r#"{"dryRun":true,"applied":false,"changeId":"CH-4410","wouldChange":1}"#,
                r#"{"value":500}"#,
                "applied false, changeId CH-4410, dryRun true, wouldChange 1",
            ),
            (
                r#"{"captured":false,"refunded":true,"paid":false,"id":"pi_77AX","amount":9950}"#,
                "",
                "captured false, id pi_77AX, paid false, amount 9950, refunded true",
            ),
            (r#"{"code":0,"trace":"22ed4ae95d1380632f","beleg":"UP-5001"}"#, "", "beleg UP-5001, code 0"),
            (
                r#"{"ok":true,"note":"The parcel waits at the desk in Rennes. It is open from nine to six on working days. Please bring a passport or an identity card with a photograph. Someone else may fetch it with a letter from you. We keep it for ten days and write to you before it goes back to the sender. Parking is behind the building. It was not insured."}"#,
                "",
                "ok true, The parcel waits at the desk in Rennes. It is open from nine to six on working days. … Someone else may fetch it with a letter from you. … Parking is behind the building. It was not insured.",
            ),
            (
                r#"{"cancelled":false,"reason":"The parcel has already left the warehouse in Saint-Herblain on 18 November"}"#,
                "",
                "cancelled false, reason The parcel has already left the warehouse in Saint-Herblain on 18 November",
            ),
            // A day and the seconds since one give way to how it ended.
            (
                r#"{"refund":{"created":1764150000,"currency":"EUR","destination":"card","due":"2026-11-27","fee":"1.20","id":"re_9000","last4":"76701111","object":"refund","status":"succeeded"}}"#,
                r#"{"case":"R-101"}"#,
                "id re_9000, currency EUR, destination card, fee 1.20, last4 76701111, object refund, status succeeded, created 1764150000",
            ),
            // What was agreed on before the settings that every app adds, and when, which is no stamp of a machine.
            (
                r#"{"donnees":{"rendezVous":{"numero":"RV-7731-04","statut":"CONFIRME","debut":"2026-10-29T10:40:00+01:00","creeLe":"2026-10-12T09:21:44+02:00"},"preparation":{"questionnaire":{"id":"QST-327","envoye":false}},"politique":{"listeAttente":false}}}"#,
                "",
                "id QST-327, rendezVous numero RV-7731-04, rendezVous debut 2026-10-29T10:40:00+01:00, rendezVous statut CONFIRME, envoye false",
            ),
            // What differs from what was asked, and what only seems to be the same.
            (
                r#"{"status":"pending","amount":"20.5"}"#,
                r#"{"amount":"120.50","note":"was pending","status":"approved"}"#,
                "amount 20.5, status pending",
            ),
            (
                "<s:Envelope xmlns:s=\"urn:x\"><s:Header><m>8f31</m></s:Header><s:Body><Book><Result>REJECTED</Result><ResNo>SV-7712</ResNo></Book></s:Body></s:Envelope>",
                "",
                "s:Envelope: s:Header: m: 8f31, s:Body: Book: Result: REJECTED, ResNo: SV-7712",
            ),
            (
                "result=declined&session=9c90e76dc2e5131cc906d7&conf_no=SR-6600&total=103.50",
                "",
                "result=declined&session=9c90e76dc2e5131cc906d7&conf_no=SR-6600&total=103.50",
            ),
            (
                "邮件没有发送成功，因为收件人邮箱已满，系统将在二十四小时内自动重试，除非您取消。受理编号 RQ-5511。感谢您使用邮件服务。",
                "",
                "邮件没有发送成功，因为收件人邮箱已满，系统将在二十四小时内自动重试，除非您取消。受理编号 RQ-5511。感谢您使用邮件服务。",
            ),
            (&format!("- main:\n  - text: Total 409,99 €\n{}", "  - link \"Help\"\n".repeat(40)), "", "- text: Total 409,99 €"),
            (
                &format!("{log}lb.edge: Modifying\n╷\n│ Error: AccessDenied\n╵\nApply incomplete. 1 of 3 changes made."),
                "",
                "lb.edge: Modifying │ Error: AccessDenied Apply incomplete. 1 of 3 changes made.",
            ),
        ] {
            assert_eq!(of(text, call).line(), line, "{text}");
        }
        assert_eq!(of(r#"{"code":0,"beleg":"UP-5001"}"#, "").id, "UP-5001");
        let booked = r#"{"appointment":{"clinician":{"id":"DR-15"},"id":"APT-31007"},"meta":{"node":"fra"}}"#;
        assert_eq!(of(booked, "").id, "APT-31007");
    }

    #[test]
    fn the_only_reference_of_an_act_is_not_taken_for_the_envelope() {
        let tools = ["book", "order", "send", "open", "file", "hold"];
        let json = |at: usize| format!(r#"{{"thing{at}":{{"id":"T{at}-77{at}","trace":"x{at}"}},"only{at}":"hall {at}"}}"#);
        let texts: Vec<String> = (0..tools.len()).map(json).collect();
        let results = tools.iter().zip(&texts).map(|(tool, text)| (*tool, text.as_str().into()));
        let envelope = Envelope::of(results, std::iter::empty());
        let wanted = Wanted { columns: 130, envelope: &envelope, of: AnswerOf::Act };
        assert_eq!(returned(&texts[4], &Given::default(), wanted).line(), "thing4 id T4-774, only4 hall 4");
    }

    #[test]
    fn what_is_large_or_deep_stays_bounded() {
        let deep = format!("{}1{}", "{\"a\":".repeat(100), "}".repeat(100));
        let wide = format!("[{}]", vec![r#"{"id":"ABC-12345"}"#; 20_000].join(","));
        for text in [deep, wide, "word ".repeat(100_000), "A1-".repeat(100_000)] {
            let returned = read_of(&text, "");
            assert!(returned.line().len() <= LINE_COLUMNS + 4 && returned.id.len() <= LINE_COLUMNS + 4);
        }
    }
}
