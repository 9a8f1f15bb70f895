//! What was done, by calls that nothing but their answers shows to act, and by calls that end in an error.

use super::*;
use stepfold::digest::effect::Effect;

/// What a checkpoint says was done, of these calls and ten readings after them.
fn done_of<const N: usize>(calls: [[Message; 2]; N], tools: Vec<ToolRule>) -> String {
    let text = whole_of(calls, tools);
    text.split("\n--- ").find(|section| section.starts_with("What was done")).unwrap_or_default().to_owned()
}

/// The same, and all else that is sent.
fn whole_of<const N: usize>(calls: [[Message; 2]; N], tools: Vec<ToolRule>) -> String {
    let mut messages = talk(calls);
    messages.extend((0..10).flat_map(|n| read(&format!("r{n}"), &format!("{n}.rs"))));
    let options = Options { tools, ..between(9_000, 2_000) };
    let sent = send_in(PlanMode::Checkpoint, 50_000.0, options, &messages, &FoldState::default());
    sent.text().to_owned()
}

fn json(text: &str) -> Output {
    Output::Json(stepfold::model::message::Json { text: text.into(), omitted_bytes: 0 })
}

#[test]
fn a_receipt_of_a_tool_that_nobody_knows_is_kept_and_its_long_answers_are_readings() {
    let rows = format!(r#"{{"rows":[{}]}}"#, vec![r#"{"id":"K-1","city":"Faro"}"#; 80].join(","));
    let done = done_of(
        [
            used("a", "encaminha_lote", r#"{"lote":"L-07"}"#, json(r#"{"protocolo":"PRT-66193"}"#)),
            used("e", "จองเตียง", r#"{"HN":"440127"}"#, json(&format!(r#"{{"รหัสจอง":"BED-5512","หมายเหตุ":"{}"}}"#, "รอยืนยัน ".repeat(30)))),
            used("c", "clientes", r#"{"cidade":"Faro"}"#, json(&rows)),
            used("d", "clientes", r#"{"cidade":"Beja"}"#, json(r#"{"primeiro":"K-771"}"#)),
        ],
        Vec::new(),
    );
    assert!(done.contains("may have changed something: encaminha_lote(L-07) → protocolo PRT-66193"), "{done}");
    assert!(done.contains("may have changed something: จองเตียง(440127) → รหัสจอง BED-5512"), "{done}");
    assert!(!done.contains("clientes"), "{done}");
}

#[test]
fn of_a_tool_of_several_uses_an_act_stands_whatever_its_other_uses_answer() {
    let rows = format!(r#"{{"rows":[{}]}}"#, vec![r#"{"id":"K-1","city":"Faro"}"#; 80].join(","));
    let passed = |name: &str, id: &str| format!(r#"{{"server":"pay","name":"{name}","arguments":{{"id":"{id}"}}}}"#);
    let done = done_of(
        [
            used("a", "gestionale", r#"{"mode":"registra","documento":"FT-2044"}"#, json(r#"{"protocollo":"INC-7741"}"#)),
            used("b", "gestionale", r#"{"mode":"elenco","documento":"FT-2045"}"#, json(&rows)),
            used("c", "call_tool", &passed("refund_payment", "P-1"), json(r#"{"refund":"RF-88"}"#)),
            used("d", "call_tool", &passed("get_payment", "P-2"), json(r#"{"status":"open"}"#)),
        ],
        Vec::new(),
    );
    assert!(done.contains("gestionale(documento: FT-2044, mode: registra) → protocollo INC-7741") && !done.contains("elenco"), "{done}");
    assert!(done.contains("call_tool refund_payment(id: P-1, server: pay) → refund RF-88") && !done.contains("get_payment"), "{done}");
}

#[test]
fn a_tool_that_sells_plans_acts() {
    let input = r#"{"customer":"CUS-77","plan":"pro"}"#;
    let done = done_of([used("a", "upgrade_plan", input, json(r#"{"invoice":"INV-901"}"#))], Vec::new());
    assert!(done.contains("upgrade_plan(customer: CUS-77, plan: pro) → invoice INV-901"), "{done}");
    // What the user says goes before the shape of a plan, too.
    let acts = vec![ToolRule { tool: "set_todos".into(), effect: Some(Effect::Acts), ..ToolRule::default() }];
    let input = r#"{"todos":[{"text":"Call Ms Kern","status":"open"}]}"#;
    let done = done_of([used("a", "set_todos", input, json(r#"{"board":"BD-901"}"#))], acts);
    assert!(done.contains("set_todos(") && done.contains("BD-901"), "{done}");
}

#[test]
fn an_error_points_to_what_was_looked_up_since() {
    let done = done_of(
        [
            used("a", "pay_invoice", r#"{"invoice":"INV-2209"}"#, Output::ErrorText("504 Gateway Timeout".into())),
            used("b", "pay_invoice", r#"{"invoice":"INV-2210"}"#, Output::ErrorText("504 Gateway Timeout".into())),
            used("c", "get_payment", r#"{"invoice":"INV-2209"}"#, json(r#"{"open":"2,350.40"}"#)),
        ],
        Vec::new(),
    );
    assert!(
        done.contains("pay_invoice(INV-2209) → error (it may have taken effect: see step 3, or check first): 504 Gateway Timeout"),
        "{done}"
    );
    assert!(
        done.contains("pay_invoice(INV-2210) → error (it may have taken effect, unless this rules it out: check first): 504"),
        "{done}"
    );
}

#[test]
fn an_act_that_failed_and_was_made_again_may_have_taken_effect_twice() {
    let input = r#"{"invoice":"INV-2209"}"#;
    let done = done_of(
        [
            used("a", "pay_invoice", input, Output::ErrorText("504 Gateway Timeout".into())),
            used("b", "pay_invoice", input, json(r#"{"payment":"PAY-77"}"#)),
        ],
        Vec::new(),
    );
    assert!(done.contains("error (a call like it succeeded in step 2: unless this rules it out, both may have taken effect)"), "{done}");
    assert!(done.contains("step 2: pay_invoice(INV-2209) → payment PAY-77") && !done.contains("see step"), "{done}");
}

#[test]
fn a_reading_of_the_matter_that_all_calls_are_about_shows_nothing_of_one_act() {
    let input = r#"{"matter":"24817/3"}"#;
    let tools = ["list_notes", "list_mails", "list_tasks", "list_parties", "list_hours"];
    let failed = used("a", "sign_matter", input, Output::ErrorText("409 Conflict".into()));
    let [a, b, c, d, e] = tools.map(|tool| used(tool, tool, input, json(r#"{"open":"2,350.40"}"#)));
    let done = done_of([failed, a, b, c, d, e], Vec::new());
    assert!(done.contains("sign_matter(24817/3) → error") && !done.contains("see step"), "{done}");
}

#[test]
fn what_an_act_returned_points_to_the_step_that_shows_it_otherwise() {
    let calls = [
        used("a", "create_payment", r#"{"invoice":"F-4410"}"#, json(r#"{"id":"PAY-9","status":"pending"}"#)),
        used("b", "get_payment", r#"{"id":"PAY-9"}"#, json(r#"{"id":"PAY-9","status":"rejected","code":"AC04"}"#)),
    ];
    let sent = whole_of(calls, Vec::new());
    assert!(sent.contains("create_payment(F-4410) → id PAY-9, status pending; see step 2"), "{sent}");
    assert!(sent.contains("2 get_payment(PAY-9) → ") && sent.contains("AC04"), "{sent}");
}
