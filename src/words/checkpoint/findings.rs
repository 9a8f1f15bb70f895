//! The section of a checkpoint with findings: what calls brought and what is likely to be needed again.

use crate::digest::findings::{Choosable, Finding};
use crate::state::Checkpoint;
use crate::text::clip::{ends_line, one_line};
use crate::text::written::LEFT_OUT;
use crate::words::checkpoint::Writer;

/// Findings within this many tokens, under where they stood, in the order of their steps. What `so_far` says is not repeated.
pub fn findings(checkpoint: &Checkpoint) -> Writer<'_> {
    let all = Choosable::of(&checkpoint.record.findings);
    Box::new(move |tokens, so_far| written(&all.within(tokens, so_far)))
}

fn written(chosen: &[&Finding]) -> String {
    let mut text = String::new();
    let mut before: Option<&Finding> = None;
    for finding in chosen {
        let is_same_place = before.is_some_and(|before| before.step == finding.step && before.place == finding.place);
        if !is_same_place {
            text.push_str(&format!("{} (step {}):\n", finding.place, finding.step));
        }
        let is_same_head = is_same_place && before.is_some_and(|before| stands_under_it(finding, before));
        let has_head = !finding.under.is_empty();
        if has_head && !is_same_head {
            text.push_str(&format!("  {}\n", one_line(&finding.under)));
        }
        let indent = if has_head { "    " } else { "  " };
        let is_behind = before.is_some_and(|before| is_same_place && finding.after == Some(before.order));
        let mark = if finding.after.is_none() || is_behind { "" } else { LEFT_OUT };
        text.push_str(&format!("{indent}{mark}{}\n", finding.text.trim().replace(ends_line, &format!("\n{indent}"))));
        before = Some(finding);
    }
    text.truncate(text.trim_end().len());
    text
}

/// Whether what a finding stands under was written with the one before it: the same head, or that finding itself.
fn stands_under_it(finding: &Finding, before: &Finding) -> bool {
    before.under == finding.under || before.text == finding.under
}
