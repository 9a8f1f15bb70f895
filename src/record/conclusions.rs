//! What the model told: which of its sentences say what it found out, and which take that back.
//! Not which of them a checkpoint has room for, nor how a long answer is cut (`texts::checkpoint::answer`).

use crate::clip::{ROOM_CHARS, clean_within, clip, one_line};
use crate::record::empty::begins_with;

/// Longest note that is kept of what the model said beside a call, in characters.
const NOTE_CHARS: usize = 420;
/// Longest announcement.
const ANNOUNCEMENT_CHARS: usize = 160;

/// How sentences begin that say what is done next. The call beside them says it as well.
const ANNOUNCEMENTS: [&str; 41] = [
    "let me",
    "let's",
    "i'll",
    "i’ll",
    "i will",
    "i'm going to",
    "i am going to",
    "i need to",
    "i should",
    "i'm now",
    "now ",
    "now,",
    "also ",
    "next,",
    "next ",
    "next:",
    "first,",
    "first i",
    "then i",
    "time to",
    "i want to",
    "we need to",
    "looking at",
    "checking",
    "okay, let",
    "ok, let",
    "good, now",
    "great, now",
    "good. now",
    "continuing",
    "proceeding",
    "i read ",
    "i search ",
    "i start ",
    "i look ",
    "i check ",
    "i open ",
    "i run ",
    "i try ",
    "i write ",
    "i edit ",
];

/// How sentences begin that take back what was said before.
const TAKEN_BACK: [&str; 8] = ["actually,", "actually ", "no, ", "no — ", "wrong", "wait, no", "i was wrong", "scratch that"];
/// Words by which a text says that a theory does not hold.
const OVERTURNED: [&str; 16] = [
    "that's not it",
    "that’s not it",
    "that is not it",
    "not the cause",
    "n't the cause",
    "not the root cause",
    "not the culprit",
    "n't the culprit",
    "not the issue",
    "n't the issue",
    "not the problem",
    "n't the problem",
    "red herring",
    "false alarm",
    "was wrong about",
    "my assumption was wrong",
];
/// Words of a text that says what the cause of something is.
const THEORIES: [&str; 14] = [
    "found it",
    "found the",
    "cause",
    "culprit",
    "the issue",
    "the problem",
    "the bug",
    "because",
    "must be",
    "probably",
    "likely",
    "seems",
    "that's why",
    "explains",
];
/// What the titles of steps begin with, before a number.
const STEPS: [&str; 5] = ["step ", "task ", "phase ", "part ", "stage "];

/// Words of a line that gives a reason or decides something.
const DECISIONS: [&str; 24] = [
    "because",
    "instead",
    "decid",
    "chose",
    "choose",
    "root cause",
    "must",
    "never",
    "always",
    "only ",
    "therefore",
    "so that",
    "rather than",
    "recommend",
    "caused by",
    "the reason",
    "the problem",
    "the issue",
    "the fix",
    "turns out",
    "in short",
    "conclusion",
    "do not",
    "don't",
];

/// What is kept of a text that stands beside a call: the sentences that say what was found out, on one line. `None` when all of them only
/// announce the call; then the second value is the first of them.
pub fn note(text: &str) -> (Option<String>, String) {
    let mut note = String::new();
    let mut announced = "";
    for sentence in sentences(text) {
        // What ends in a colon announces the call, too, and so does the title of a step.
        let is_title = sentence.len() < ANNOUNCEMENT_CHARS && (sentence.ends_with(':') || is_step_title(sentence));
        if begins_with(sentence, &ANNOUNCEMENTS) || is_title {
            announced = if announced.is_empty() { sentence } else { announced };
            continue;
        }
        if !note.is_empty() && note.len() + sentence.len() > NOTE_CHARS {
            note.push_str(" …");
            break;
        }
        if !note.is_empty() {
            note.push(' ');
        }
        note.push_str(&one_line(&clip(sentence, NOTE_CHARS + ROOM_CHARS)));
    }
    // A few words before a call announce it, however they are put.
    let says_more =
        note.len() > 60 || note.len() > 24 && note.contains(|letter: char| letter.is_ascii_digit() || matches!(letter, '`' | '='));
    let announced =
        clean_within(&one_line(&clip(if announced.is_empty() { &note } else { announced }, 2 * ROOM_CHARS)), ANNOUNCEMENT_CHARS);
    (says_more.then(|| clean_within(&note, NOTE_CHARS)), announced)
}

/// Whether a text takes back what was said before it.
pub fn overturns(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    OVERTURNED.iter().any(|words| lower.contains(words)) || sentences(text).any(|sentence| begins_with(sentence, &TAKEN_BACK))
}

/// Whether a text says what it takes for the cause of something.
pub fn is_theory(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    THEORIES.iter().any(|words| lower.contains(words))
}

/// Whether a line is the title of a step: `Step 2: The services`.
fn is_step_title(line: &str) -> bool {
    let title = line.trim_start_matches(['#', '*', ' ']);
    let number = STEPS.iter().find(|word| begins_with(title, &[word])).map(|word| &title[word.len()..]);
    let behind = number.map(|number| (number, number.trim_start_matches(|sign: char| sign.is_ascii_digit() || sign == '.')));
    behind.is_some_and(|(number, behind)| {
        behind.len() < number.len() && behind.starts_with([':', ' ']) && behind.trim_start().starts_with([':', '-', '–', '—'])
    })
}

/// The sentences and lines of a text.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("```"));
    lines.flat_map(|line| line.split_inclusive(". ")).map(str::trim)
}

/// Whether a line is a title of what follows it.
pub fn is_heading(line: &str) -> bool {
    line.starts_with('#') || (line.starts_with("**") && (line.ends_with("**") || line.ends_with("**:") || line.ends_with(":**")))
}

/// Whether a line gives a reason or decides something.
pub fn decides(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    DECISIONS.iter().any(|word| lower.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_keeps_what_was_found_and_leaves_out_what_is_announced() {
        let (told, _) = note("The build fails because `serde` 1.0.1 was yanked. Let me pin it.\nI'll run it again.");
        assert_eq!(told.as_deref(), Some("The build fails because `serde` 1.0.1 was yanked."));
        let (told, announced) = note("Let me look at the parser first.");
        assert_eq!((told, announced.as_str()), (None, "Let me look at the parser first."));
    }

    #[test]
    fn a_title_of_the_next_step_is_no_note() {
        assert_eq!(note("Step 2: Web App Services and everything that belongs to them in this app").0, None);
        assert!(note("Step 2 fails because the services of the web app are not built before it runs.").0.is_some());
    }

    #[test]
    fn what_takes_back_a_theory_is_told_from_what_only_looks_like_it() {
        for text in [
            "Actually, the cache is fine.",
            "Hmm, that's not it.",
            "The lock was a red herring. I look at the pool.",
            "No, it fails before.",
        ] {
            assert!(overturns(text), "{text}");
        }
        for text in ["The actual value is 4.", "Nothing is wrong here.", "No tests were run."] {
            assert!(!overturns(text), "{text}");
        }
        assert!(is_theory("Found it! The cache is filled twice.") && !is_theory("The file has 40 lines and two tests."));
    }
}
