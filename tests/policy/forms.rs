//! What stays of answers that are no JSON: XML and a page. A row stands with what names it.

use super::*;

const XML: &str = "<?xml version=\"1.0\"?><Document xmlns=\"urn:bank\"><Stmt><Acct>DE02</Acct>";

/// A statement of a bank, in XML.
fn statement() -> String {
    let entry = |at: usize| {
        let party = if at == 31 { "Weber KG" } else { "Mohn AG" };
        let note = format!("Invoice {} of the order {}", 5_000 + at, 9_100 + 7 * at).repeat(9);
        format!(
            "<Ntry><NtryRef>N-{at}</NtryRef><Amt Ccy=\"EUR\">{}.50</Amt><Dtls><Cdtr><Nm>{party}</Nm></Cdtr><Note>{note}</Note></Dtls></Ntry>",
            100 + at
        )
    };
    format!("{XML}{}</Stmt></Document>", (0..60).map(entry).collect::<String>())
}

/// A page of a shop.
fn page() -> String {
    let row = |at: usize| {
        let name = if at == 31 { "Weber stove" } else { "Mohn stove" };
        format!("<tr><td>{name} {at}</td><td><b>{},50</b> EUR</td><td>in {} days</td></tr>\n", 100 + at, at % 9)
    };
    let rows: String = (0..90).map(row).collect();
    format!(
        "<!doctype html><html><head><style>td {{ color: red }}</style></head><body><h1>Stoves</h1><p>All are <i>new</i>.</p><table><tr><th>Stove</th><th>Price</th><th>Delivery</th></tr>{rows}</table></body></html>"
    )
}

/// What is sent of an answer in `text` that the user then asks about, cleared and folded.
fn left_of(text: String) -> [String; 2] {
    let mut messages = vec![user("What did Weber get, and when?")];
    messages.extend(used("1", "fetch", r#"{"of":"2024"}"#, Output::Text(text)));
    messages.extend((0..8).flat_map(|n| read(&n.to_string(), &format!("src/{n}.ts"))));
    let all = size(&messages);
    let cleared = send_with(50_000.0, between(all - 1, 9_000), &messages, &FoldState::default());
    let folded = send_in(PlanMode::Checkpoint, 50_000.0, between(9_000, 2_000), &messages, &FoldState::default());
    [cleared, folded].map(|sent| sent.text())
}

#[test]
fn a_row_of_any_form_stands_with_what_names_it() {
    for (text, row) in [(statement(), ["N-31", "131.50", "Weber KG"]), (page(), ["Weber stove 31", "131,50", "4 days"])] {
        for left in left_of(text.clone()) {
            let line = left.lines().find(|line| line.contains("Weber") && !line.contains("What did Weber")).unwrap_or_default();
            // A page may be the source of one; data are no code.
            assert!(!text.starts_with("<?xml") || !line.contains("</"), "{line}");
            for part in row {
                assert!(left.contains(part), "{part}: {left}");
            }
        }
    }
}
