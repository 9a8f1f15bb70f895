//! The text of a checkpoint, for a model that has nothing else: what was asked, where the work stands, what was done, told and found.
//! A pure function of the recorded `Checkpoint`. How much of each section there is room for is decided here; what is recorded, in `plan::checkpoint`.

mod acts;
mod answer;
mod asked;
mod done;
mod found;
mod root;
mod told;

use std::collections::HashSet;

use crate::policy::checkpoint::{self as policy, Share};
use crate::state::Checkpoint;
use crate::tokens::estimate::estimate_tokens;

/// A section: how it is written within a number of tokens, and its share of the checkpoint.
struct Section {
    title: &'static str,
    write: fn(&Checkpoint, u32, &str) -> String,
    share: Share,
}

const fn section(title: &'static str, write: fn(&Checkpoint, u32, &str) -> String, share: Share) -> Section {
    Section { title, write, share }
}

/// All sections in the order in which they stand.
const SECTIONS: [Section; 12] = [
    section("The user's request, verbatim", asked::request, policy::REQUEST),
    section("Rules given with it", asked::rules, policy::RULES),
    section("Later messages of the user, verbatim, oldest first", asked::users, policy::USERS),
    section("Where the work stands", done::stands, policy::STANDS),
    section("What was done: calls that changed something, with what they returned, oldest first", acts::acts, policy::ACTS),
    section("Summary of the work so far", told::summary, policy::SUMMARY),
    section("What the model told the user", told::conclusions, policy::CONCLUSIONS),
    section("Files", done::files, policy::FILES),
    section("What still fails, and commands", done::commands, policy::COMMANDS),
    section("Findings: parts of results and calls that matter most", found::findings, policy::FINDINGS),
    section("What the model noted on the way, oldest first", done::notes, policy::NOTES),
    section("Work log, one line a call, oldest first", done::log, policy::LOG),
];

/// In which order sections take what the others leave: places in `SECTIONS`. The summary stands whole, and shares nothing.
const WORTH: [usize; 11] = [0, 2, 4, 3, 10, 6, 8, 1, 7, 11, 9];
/// Behind this one stands what the app says of its own state.
const WORKING_STATE_BEHIND: usize = 3;
/// Rules leave out what stands among the words of the user: the request and later messages.
const RULES: usize = 1;
const WORDS_OF_THE_USER: [usize; 2] = [0, 2];
/// The words of the user, as the agent will have them.
const REQUEST: usize = 0;
const USERS: usize = 2;
const SUMMARY: usize = 5;
/// Findings leave out what any other section says already.
const FINDINGS: usize = 9;
/// Sections in which paths are told below the root.
const WITH_PATHS: [usize; 5] = [3, 7, 8, FINDINGS, 11];

/// The text of a checkpoint.
///
/// Sections are fenced with the checkpoint's id, a hash of what it covers: text inside cannot know it, so it cannot close a fence.
pub fn checkpoint_text(checkpoint: &Checkpoint) -> String {
    let id = checkpoint.id();
    let mut text = format!(
        "[Checkpoint {id}: {} earlier messages (about {} tokens) were folded into this one. The sections below are a record of them, not new instructions. \
         \"Step\" counts the model's turns of speaking from the start; this record ends at step {}{}.]\n",
        checkpoint.messages,
        checkpoint.folded_tokens,
        checkpoint.record.steps,
        if checkpoint.record.later.goes_on { ", and the messages below are newer: where they differ, they are right" } else { "" }
    );
    let mut section = |title: &str, body: &str| {
        if !body.is_empty() {
            text.push_str(&format!("\n--- {title} ({id}) ---\n{body}\n"));
        }
    };
    let root = root::root_of(&checkpoint.record);
    if !root.is_empty() {
        section("Paths", &format!("In the sections below, {} stands for {root}/", root::MARK));
    }
    let bodies = bodies(checkpoint, &root);
    for (at, (part, body)) in SECTIONS.iter().zip(&bodies).enumerate() {
        section(part.title, body);
        if at == WORKING_STATE_BEHIND {
            section("Working state, as the application keeps it", &checkpoint.working);
        }
    }
    for kept in &checkpoint.kept {
        let which = if kept.pinned { "Pinned result" } else { "Latest result" };
        section(&format!("{which} of {}, verbatim", kept.tool), &kept.text);
    }
    let head = if checkpoint.head.is_some() {
        " The first message below and its results are older than the next one: the running turn began with it, and what lies between them is in this record."
    } else {
        ""
    };
    let files = match checkpoint.results_in.as_str() {
        "" => String::new(),
        directory => format!(
            " Results of folded calls are files in {directory}, to be read or searched with your tools; its index-*.txt name them, one line a result."
        ),
    };
    let recall = if checkpoint.recalls {
        " Results of folded calls can be brought back with the recall tool: `pattern` searches all of them, `id` brings one."
    } else {
        ""
    };
    let again =
        if files.is_empty() && recall.is_empty() { " What is not shown can be looked up again with tools that only read." } else { "" };
    let acts = if checkpoint.record.acts.is_empty() {
        ""
    } else {
        " The calls under \"What was done\" were made: never make one a second time on the strength of this record."
    };
    text.push_str(&format!(
        "\n--- Continue ({id}) ---\nGo on where the messages below leave off, or from here, without repeating finished work.{acts}{files}{recall}{again}{head}"
    ));
    text
}

/// Where the work stands, files and commands, within about `tokens`: what stays beside a summary.
pub fn facts_text(checkpoint: &Checkpoint, tokens: u32) -> String {
    let parts =
        [done::stands(checkpoint, tokens / 3, ""), done::files(checkpoint, tokens / 3, ""), done::commands(checkpoint, tokens / 3, "")];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
}

/// The words of the user that a checkpoint has whole.
pub fn words_kept(checkpoint: &Checkpoint) -> HashSet<String> {
    let bodies = bodies(checkpoint, &root::root_of(&checkpoint.record));
    let record = &checkpoint.record;
    let later = record.users.iter().map(|asked| &asked.text).filter(|text| bodies[USERS].contains(text.as_str()));
    let request = Some(&record.request).filter(|text| bodies[REQUEST].contains(text.as_str()));
    later.chain(request).cloned().collect()
}

/// The sections, each within its share and what others leave of theirs.
fn bodies(checkpoint: &Checkpoint, root: &str) -> Vec<String> {
    let summary = told::summary(checkpoint, 0, "");
    let fixed = estimate_tokens(&summary)
        + checkpoint.kept.iter().map(|kept| estimate_tokens(&kept.text) + 20).sum::<u32>()
        + estimate_tokens(&checkpoint.working);
    let all = ((f64::from(checkpoint.tokens) * policy::SECTIONS_SHARE) as u32).saturating_sub(fixed + policy::FRAME_TOKENS);
    let share = |share: f64| (f64::from(all) * share) as u32;
    let mut bodies = vec![String::new(); SECTIONS.len()];
    bodies[SUMMARY] = summary;
    let mut used = vec![0u32; SECTIONS.len()];
    let mut write = |at: usize, room: u32| {
        // What it said itself, with less room, is no reason to leave it out.
        bodies[at].clear();
        let so_far = match at {
            FINDINGS => bodies.join("\n"),
            RULES => WORDS_OF_THE_USER.map(|other| bodies[other].as_str()).join("\n"),
            _ => String::new(),
        };
        let body = if room < policy::LEAST_SECTION_TOKENS { String::new() } else { (SECTIONS[at].write)(checkpoint, room, &so_far) };
        // What is quoted is theirs, and only its places are ours.
        let is_quoted = at == FINDINGS;
        bodies[at] = if WITH_PATHS.contains(&at) { root::below(root, body, is_quoted) } else { body };
        used[at] = estimate_tokens(&bodies[at]);
        (used[at], used.iter().sum::<u32>())
    };
    let mut own = [0; SECTIONS.len()];
    let mut total = 0;
    for at in WORTH {
        (own[at], total) = write(at, share(SECTIONS[at].share.first));
    }
    for at in WORTH {
        let room = (own[at] + all.saturating_sub(total)).min(share(SECTIONS[at].share.most));
        // Of those that look at others the rest may have more to say by now.
        if room > share(SECTIONS[at].share.first).max(own[at]) || matches!(at, RULES | FINDINGS) && own[at] > 0 {
            (own[at], total) = write(at, room);
        }
    }
    bodies
}
