//! Findings: chunks of what is folded that are likely to be needed again, each with where it stood. Chosen together, so that none says what
//! another one or the messages after the fold say. Not how many of them a checkpoint has room for.

mod rows;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::digest::findings::rows::{Heads, PLACE_TOKENS, Rows, tokens_of};
use crate::text::choose::choose;
use crate::text::hash::{HashSet, mix};
use crate::text::item::Item;
use crate::text::order::sort_by_numbers;
use crate::text::term::each_term;
use crate::text::uses::{Uses, within};
use crate::text::worth::{Features, Source, Weighed, renewed, weigh};
use crate::tokens::estimate::estimate_tokens;

/// Inputs of calls that are longer hold more than what a call is about: a text that was written, an edit.
const LONG_INPUT_BYTES: usize = 400;
/// Chunks of one text that are compared with those of all others, and about how many of all texts together: of each of many texts fewer. A
/// checkpoint has room for some hundreds.
const CHUNKS_OF_TEXT: usize = 60;
const LEAST_CHUNKS_OF_TEXT: usize = 2;
const CHUNKS: usize = 12_000;

/// A chunk that is kept beyond the fold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Where it stood: the file, or the call.
    pub place: String,
    /// What it belongs to there; empty where it stands alone.
    pub under: String,
    /// The chunk.
    pub text: String,
    /// The step of its result or call.
    pub step: u32,
    /// Its place there.
    pub order: u32,
    /// The place of the chunk before it, where it goes on in the same paragraph.
    pub after: Option<u32>,
    /// What was seen of it.
    pub features: Features,
    /// It is no chunk, but the user's own digest of a whole result.
    pub by_user: bool,
}

impl Finding {
    /// About what it takes in a text.
    pub fn tokens(&self) -> u32 {
        tokens_of(&self.text)
    }
}

/// What a passage of a conversation is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Said {
    /// A text of the model or the user: what it mentions is in use.
    #[default]
    Words,
    /// The input of a call.
    Call,
    /// A result.
    Result,
}

/// One passage of a conversation.
#[derive(Debug, Default)]
pub struct Passage<'m> {
    /// What it is.
    pub said: Said,
    /// The step.
    pub step: u32,
    /// Where its text stands: the file, or the call in a few words.
    pub place: String,
    /// The text.
    pub text: Cow<'m, str>,
    /// The user's own digest of it, which then stands for it.
    pub digest: Option<&'m str>,
    /// It is sent as it is: what a result says need not be kept.
    pub is_sent: bool,
    /// A later call has made it obsolete.
    pub is_stale: bool,
    /// Its call acts: what an equal one brought before is not obsolete.
    pub is_of_act: bool,
}

/// The findings of all passages and those of earlier folds, within about this many tokens, the best first, before
/// them the user's own digests of results. `requests` are the request and the newest message of the user.
pub fn find(before: Vec<Finding>, passages: &[Passage<'_>], requests: [&str; 2], tokens: u32) -> Vec<Finding> {
    let mut uses = Uses::default();
    for finding in &before {
        uses.show(&finding.text);
    }
    let order_of = |passage: &Passage<'_>| match passage.said {
        Said::Words | Said::Call => uses.mention(&passage.text),
        Said::Result => uses.show(&passage.text),
    };
    let orders: Vec<u32> = passages.iter().map(order_of).collect();
    requests.iter().for_each(|text| uses.request(text));
    let mut present: HashSet<u64> = HashSet::default();
    // Texts and calls after the fold mention a thing; only a result states it.
    let results = || passages.iter().filter(|passage| passage.said == Said::Result);
    results().filter(|passage| passage.is_sent).for_each(|passage| add_terms(&passage.text, &mut present));
    let (mut user_digests, before): (Vec<Finding>, Vec<Finding>) = before.into_iter().partition(|finding| finding.by_user);
    let again: HashSet<&str> = results().filter(|passage| !passage.is_of_act).map(|passage| passage.place.as_str()).collect();
    let mut rows = Rows::default();
    for finding in before {
        let (finding, weighed) = reweighed(finding, &uses, &again);
        rows.add_found(finding, weighed);
    }
    let most = (CHUNKS / results().count().max(1)).clamp(LEAST_CHUNKS_OF_TEXT, CHUNKS_OF_TEXT);
    for (at, passage) in passages.iter().enumerate().filter(|(_, passage)| !passage.is_sent) {
        let Passage { said, step, place, text, digest, is_stale, .. } = passage;
        let as_it_stands = || Cow::Borrowed(text.as_ref());
        let text = match (said, digest) {
            (Said::Result, Some(digest)) => {
                let (place, text) = (place.clone(), (*digest).to_owned());
                user_digests.push(Finding { place, text, step: *step, order: at as u32, by_user: true, ..Finding::default() });
                continue;
            }
            (Said::Result, None) => as_it_stands(),
            (Said::Call, _) if text.len() > LONG_INPUT_BYTES => crate::json::Value::parse(text).map_or_else(as_it_stands, |value| {
                let mut sorted = String::with_capacity(text.len());
                value.write(&mut sorted);
                sorted.into()
            }),
            (Said::Call | Said::Words, _) => continue,
        };
        let source = Source { order: orders[at], is_call: *said == Said::Call, is_stale: *is_stale };
        rows.add_text(text, (source, most), (place, *step), &uses, &present);
    }
    let (newest, tokens) = user_digests_within(&user_digests, tokens, "");
    newest.iter().for_each(|at| add_terms(&user_digests[*at].text, &mut present));
    let chosen = rows.choose(&mut present, tokens);
    let mut user_digests: Vec<_> = user_digests.into_iter().map(Some).collect();
    newest.into_iter().filter_map(|at| user_digests[at].take()).chain(chosen).collect()
}

/// Which of the user's own digests have room within this many tokens, the newest first, and what they leave of it. What `so_far` says is not
/// repeated, nor is the same of one place.
fn user_digests_within(findings: &[Finding], mut tokens: u32, so_far: &str) -> (Vec<usize>, u32) {
    let mut user_digests: Vec<usize> = (0..findings.len()).filter(|at| findings[*at].by_user).collect();
    sort_by_numbers(&mut user_digests, |at| [-i64::from(findings[*at].step), -i64::from(findings[*at].order), 0]);
    let mut present = HashSet::default();
    user_digests.retain(|at| {
        let finding = &findings[*at];
        let takes = finding.tokens() + estimate_tokens(&finding.place) + PLACE_TOKENS;
        let is_new = !finding.text.is_empty() && !so_far.contains(&finding.text) && present.insert((&finding.place, &finding.text));
        let has_room = is_new && takes <= tokens;
        tokens -= if has_room { takes } else { 0 };
        has_room
    });
    (user_digests, tokens)
}

/// Findings among which those are chosen that a checkpoint writes.
pub struct Choosable<'f> {
    findings: &'f [Finding],
    /// All but the user's own digests.
    others: Vec<&'f Finding>,
    items: Vec<Item>,
    heads: Vec<u32>,
}

impl<'f> Choosable<'f> {
    /// All of these.
    pub fn of(findings: &'f [Finding]) -> Choosable<'f> {
        let uses = Uses::default();
        let others: Vec<&Finding> = findings.iter().filter(|finding| !finding.by_user).collect();
        let mut heads = Heads::default();
        let items = others.iter().map(|finding| heads.item_of(finding, of_finding(finding, &uses))).collect();
        Choosable { findings, others, items, heads: heads.list }
    }

    /// Those that are written within this many tokens, without what `so_far` says, in the order in which they stand.
    pub fn within(&self, tokens: u32, so_far: &str) -> Vec<&'f Finding> {
        let Choosable { findings, others, items, heads } = self;
        let mut present = HashSet::default();
        add_terms(so_far, &mut present);
        let (by_user, tokens) = user_digests_within(findings, tokens, so_far);
        let mut chosen: Vec<&Finding> = by_user.into_iter().map(|at| &findings[at]).collect();
        chosen.iter().for_each(|finding| add_terms(&finding.text, &mut present));
        // Only a chunk without a term of its own can stand there already.
        let already = present.clone();
        let stands = |at: usize| items[at].terms.iter().all(|term| already.contains(&term.hash)) && so_far.contains(&others[at].text);
        chosen.extend(choose(items, heads, &mut present, tokens).into_iter().filter(|at| !stands(*at)).map(|at| others[at]));
        // Results of one step stand one after the other.
        sort_by_numbers(&mut chosen, |finding| {
            [i64::from(finding.step), mix(0, finding.place.as_bytes()) as i64, i64::from(finding.order)]
        });
        chosen
    }
}

fn add_terms(text: &str, present: &mut HashSet<u64>) {
    each_term(within(text), &mut |term, _| {
        present.insert(term);
    });
}

/// The terms of a finding, and what is seen of it now.
fn of_finding(finding: &Finding, uses: &Uses) -> Weighed {
    let whole = crate::text::chunk::whole(&finding.text);
    weigh(&finding.text, &whole, Source::default(), uses).pop().unwrap_or_default()
}

/// A finding of an earlier fold, by what was used since; obsolete where its call is among those that were made again.
fn reweighed(mut finding: Finding, uses: &Uses, again: &HashSet<&str>) -> (Finding, Weighed) {
    let weighed = of_finding(&finding, uses);
    finding.features = renewed(finding.features, weighed.features, again.contains(finding.place.as_str()));
    (finding, weighed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Passage<'_> {
        Passage { text: text.into(), ..Passage::default() }
    }

    fn result<'m>(place: &str, text: &'m str, is_sent: bool) -> Passage<'m> {
        Passage { said: Said::Result, step: 1, place: place.to_owned(), text: text.into(), is_sent, ..Passage::default() }
    }

    fn found(passages: &[Passage<'_>], tokens: u32) -> Vec<String> {
        find(Vec::new(), passages, ["", ""], tokens).into_iter().map(|finding| finding.text).collect()
    }

    #[test]
    fn what_is_mentioned_later_is_found_first_with_its_place() {
        let text = "use std::fs;\nfn parse_header(text: &str) -> Header {\n    let other_thing = 1;\n}\nfn unrelated() {}";
        let passages = [result("src/a.rs", text, false), words("parse_header is wrong")];
        let found = find(Vec::new(), &passages, ["", ""], 200);
        assert_eq!((found[0].place.as_str(), found[0].text.as_str()), ("src/a.rs", "fn parse_header(text: &str) -> Header {"));
    }

    #[test]
    fn what_is_sent_behind_the_fold_is_not_kept_before_other_things() {
        let passages = [
            result("find", "order_4711 was paid\norder_4712 was lost", false),
            words("order_4711 and order_4712"),
            result("find", "order_4711 was paid", true),
        ];
        assert_eq!(found(&passages, 200)[0], "order_4712 was lost");
    }

    #[test]
    fn a_figure_that_a_later_call_replaced_gives_way_to_the_new_one_also_beyond_a_fold() {
        let (old, new) = ("rooms of order_4711 cost 214", "rooms of order_4711 cost 187");
        let mut before = result("getOrder", old, false);
        before.is_stale = true;
        let mentioned = || words("rooms of order_4711 cost 214 or 187");
        assert_eq!(found(&[before, result("order", new, false), mentioned()], 40)[0], new);
        let carried = find(Vec::new(), &[result("getOrder", old, false), mentioned()], ["", ""], 200);
        assert_eq!(carried[0].text, old);
        assert_eq!(find(carried, &[result("getOrder", new, false), mentioned()], ["", ""], 200)[0].text, new);
    }

    #[test]
    fn a_row_does_not_stand_without_the_one_that_corrects_it() {
        let first = "mes;venta;margen\n2025-07;14200310.55;27.46\n2025-08;15120442.10;26.90\n2025-09;13980114.07;25.15";
        let second = "mes;venta;margen\n2025-07;13990222.15;27.46\n2025-08;14870001.70;26.91\n2025-09;13640920.33;25.12";
        let mut corrected = result("consultar(select mes, sum(monto_neto) from ventas where estatus <> 'C')", second, false);
        corrected.step = 3;
        let passages = [
            result("consultar(select mes, sum(monto_neto) from ventas)", first, false),
            words("La venta suma 43,300,866.72 y el margen baja de 27.46 a 25.15"),
            corrected,
        ];
        for room in 20..200 {
            let texts = found(&passages, room);
            for (old, new) in first.lines().zip(second.lines()).skip(1) {
                let holds = |row: &str| texts.iter().any(|text| text == row);
                assert!(!holds(old) || holds(new), "{room}: {texts:?}");
            }
        }
    }

    #[test]
    fn what_an_act_brought_is_not_obsolete_where_it_is_made_again() {
        let (first, second) = ("page of order_4711 cost 214", "page of order_4712 cost 187");
        let carried = find(Vec::new(), &[result("clickNext", first, false), words("order_4711")], ["", ""], 200);
        let mut again = result("clickNext", second, false);
        again.is_of_act = true;
        let before = carried[0].features;
        let texts = find(carried, &[again, words("order_4711 and order_4712")], ["", ""], 200);
        let kept = texts.iter().find(|finding| finding.text == first).map(|finding| finding.features.last());
        assert_eq!(kept, Some(before.last()), "{texts:?}");
    }

    #[test]
    fn a_head_is_no_finding_without_what_stands_below_it_but_for_a_title() {
        let filler = "Nothing of it is about any case. ".repeat(20);
        let text = format!("# Report on case_4711\n\n{filler}\n\n## What changed in case_4711\n\n{filler}\n");
        let found = found(&[result("read", &text, false), words("case_4711 changed, what of the report")], 60);
        assert!(found.contains(&"# Report on case_4711".to_owned()) && !found.iter().any(|text| text.starts_with("## ")), "{found:?}");
    }

    #[test]
    fn findings_keep_within_their_tokens_and_hold_no_secret() {
        let secret = format!("x7Kq{}", "9ZpL2mVw8RtY4nB");
        let text = format!("{{\"password\":\"{secret}\",\"note\":\"order_4711 {}\"}}", "long words ".repeat(300));
        let passages = [result("get", &text, false), words("order_4711 password")];
        let found = find(Vec::new(), &passages, ["", ""], 120);
        let tokens: u32 = found.iter().map(|finding| estimate_tokens(&finding.text)).sum();
        assert!(tokens <= 120 && !found.is_empty() && found.iter().all(|finding| !finding.text.contains(&secret)), "{found:?}");
    }
}
