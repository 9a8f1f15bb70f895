//! Sections of a checkpoint: what the model told the user, and the summary.

use std::cell::OnceCell;

use crate::digest::novelty::Ranked;
use crate::digest::record::Conclusion;
use crate::digest::replies::{is_long, says_same};
use crate::state::Checkpoint;
use crate::tokens::estimate::estimate_tokens;
use crate::words::checkpoint::Writer;
use crate::words::cut::head_and_tail;

/// The newest conclusion takes at most this share of the room while there are others.
const NEWEST_SHARE: f64 = 0.7;
/// The same when the user has asked for something else since: then it is what came before the work at hand.
const EARLIER_SHARE: f64 = 0.4;
/// What is longer than its room by less than this part of it is not cut.
const CUT_PART: u32 = 3;
/// A conclusion is not cut to less.
const LEAST_TOKENS: u32 = 40;
/// Where there is no room for all, one is thought to take at most this part of it.
const WORTH_PART: u32 = 4;
/// Steps of equal answers that are named.
const MOST_STEPS: usize = 24;

/// An answer, and the steps of those equal to it, the newest last.
struct Answer<'c> {
    text: &'c str,
    steps: Vec<u32>,
}

/// What the model told the user: the newest whole, of older ones those that say most of their own, in parts where there is no room for all.
pub fn conclusions(checkpoint: &Checkpoint) -> Writer<'_> {
    let list = &checkpoint.record.conclusions;
    let is_earlier = |conclusion: &Conclusion| {
        checkpoint.record.users.iter().any(|message| message.step >= conclusion.step && message.needed_question().is_empty())
    };
    let answers = answers(list);
    let share = match list.last() {
        Some(newest) if is_earlier(newest) => EARLIER_SHARE,
        _ if answers.len() > 1 => NEWEST_SHARE,
        _ => 1.0,
    };
    let titles: Vec<String> = answers.iter().map(|answer| title_of(&answer.steps)).collect();
    let costs = answers.iter().zip(&titles).map(|(answer, title)| estimate_tokens(answer.text) + estimate_tokens(title) + 2).collect();
    let told = Told { answers, titles, costs, ranked: OnceCell::new() };
    Box::new(move |tokens, _| told.within(tokens, share))
}

/// The summarizer's text, whole: nothing else keeps what it says.
pub fn summary(checkpoint: &Checkpoint) -> Writer<'_> {
    Box::new(|_, _| checkpoint.summary.clone().unwrap_or_default())
}

/// The answers, oldest first. Equal ones of a few words are one, where the newest stood: each answered something else, so all steps are named.
fn answers(list: &[Conclusion]) -> Vec<Answer<'_>> {
    let mut answers: Vec<Answer<'_>> = Vec::new();
    for Conclusion { step, text } in list {
        let same = if is_long(text) { None } else { answers.iter().position(|answer| says_same(answer.text, text)) };
        let mut steps = same.map_or_else(Vec::new, |at| answers.remove(at).steps);
        steps.push(*step);
        answers.push(Answer { text, steps });
    }
    answers
}

/// All answers, each with its title.
struct Told<'c> {
    answers: Vec<Answer<'c>>,
    titles: Vec<String>,
    /// Tokens of each with its title.
    costs: Vec<u32>,
    ranked: OnceCell<Ranked>,
}

impl Told<'_> {
    /// Those within `tokens`, oldest first. The newest has `share` of them first.
    fn within(&self, tokens: u32, share: f64) -> String {
        let Told { answers, titles, costs, ranked } = self;
        let kept: Vec<usize> = if costs.iter().fold(0, |sum: u32, cost| sum.saturating_add(*cost)) <= tokens {
            (0..answers.len()).collect()
        } else {
            let texts = || answers.iter().map(|answer| answer.text.to_owned()).collect::<Vec<_>>();
            let ranked = ranked.get_or_init(|| Ranked::of_answers(&texts()));
            ranked.within(tokens as usize, &|at| costs[at].min(tokens / WORTH_PART) as usize)
        };
        let mut omitted: usize = answers.iter().map(|answer| answer.steps.len()).sum();
        let mut room = tokens;
        let mut blocks: Vec<String> = Vec::new();
        for at in kept.into_iter().rev() {
            let text = answers[at].text;
            let cost = estimate_tokens(text);
            let left = room.saturating_sub(estimate_tokens(&titles[at]) + 2);
            if left < cost.min(LEAST_TOKENS) {
                continue;
            }
            let most = match blocks.len() {
                0 => left.min((f64::from(tokens) * share) as u32),
                // What is older leaves half of the room to what is older still.
                _ => left / 2,
            };
            // A few words that are left out would be missed more than their room.
            let most = if cost <= left.min(most + most / CUT_PART).max(LEAST_TOKENS) { cost } else { most };
            let body = head_and_tail(text, most.max(LEAST_TOKENS));
            room = left.saturating_sub(estimate_tokens(&body));
            omitted -= answers[at].steps.len();
            let (before, behind) = if body.contains('\n') { ("\n", "\n") } else { ("", " ") };
            blocks.push(format!("{before}{}:{behind}{body}", titles[at]));
        }
        if omitted > 0 && !blocks.is_empty() {
            blocks.push(format!("[{omitted} left out]"));
        }
        blocks.reverse();
        blocks.join("\n").trim_start().to_owned()
    }
}

/// The steps of equal answers, the newest of many.
fn title_of(steps: &[u32]) -> String {
    let (before, named) = steps.split_at(steps.len().saturating_sub(MOST_STEPS));
    let named = named.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
    if before.is_empty() { named } else { format!("{} earlier steps, {named}", before.len()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(texts: &[String], tokens: u32) -> String {
        let mut checkpoint = Checkpoint::default();
        for (text, step) in texts.iter().zip(1..) {
            checkpoint.record.conclusions.push(Conclusion { step: 2 * step, text: text.clone() });
        }
        conclusions(&checkpoint)(tokens, "")
    }

    #[test]
    fn equal_short_answers_to_different_questions_are_counted_with_their_steps() {
        let [no, yes] = ["No, this claim was rejected.", "Yes, this claim was not rejected."].map(str::to_owned);
        let all = told(&[no.clone(), yes.clone(), no.clone(), no.clone()], 1_000);
        assert_eq!(all, format!("4: {yes}\n2, 6, 8: {no}"));
        let many = told(&vec![no; 60], 1_000);
        assert!(many.starts_with("36 earlier steps, 74, 76, ") && !many.contains("left out"), "{many}");
    }

    #[test]
    fn an_answer_that_says_something_of_its_own_outlives_fifty_of_one_kind() {
        let mut texts: Vec<String> = (0..50).map(|n| format!("B-{n} is on its way, it arrives on day {n} of the month.")).collect();
        texts.insert(4, "Eight orders are cancelled; B-4204 was refused because it is packed already.".into());
        let few = told(&texts, 150);
        assert!(
            estimate_tokens(&few) <= 150 && few.contains("10: Eight orders") && few.contains("102: B-49 is") && few.starts_with('['),
            "{few}"
        );
        assert_eq!(few.matches("is on its way").count() + 1, few.lines().count() - 1, "{few}");
    }
}
