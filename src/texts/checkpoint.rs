//! The text of a checkpoint, for a model that has nothing else: what was asked and agreed, where the work stands, what was told, done and found.
//! A pure function of the recorded `Checkpoint`. How much of each section there is room for is decided here; what is recorded, in `plan::checkpoint`.

mod asked;
mod done;
mod found;
mod told;

use crate::state::Checkpoint;
use crate::tokens::estimate::estimate_tokens;

/// What its sections may take together, as a share of the checkpoint: the rest is a margin for what the parts cost together.
const SECTIONS_SHARE: f64 = 0.95;
/// Beginning, titles and end of a checkpoint.
const FRAME_TOKENS: u32 = 160;
/// A section with less room than this stays away.
const LEAST_TOKENS: u32 = 12;

/// A section: how it is written within a number of tokens, and its share of the checkpoint, at first and when others leave some.
struct Section {
    title: &'static str,
    write: fn(&Checkpoint, u32, &str) -> String,
    share: f64,
    most: f64,
}

/// All sections in the order in which they stand. The shares of the first column add up to one.
///
/// Chosen by `tests/checkpoints` and the replay (`docs/benchmarks.md`): what a section may take beyond its share, it takes in the order of
/// `WORTH`.
const SECTIONS: [Section; 12] = [
    Section { title: "The user's request, verbatim", write: asked::request, share: 0.15, most: 0.5 },
    Section { title: "Rules given with it", write: asked::rules, share: 0.04, most: 0.08 },
    Section { title: "Agreed with the user", write: told::agreed, share: 0.07, most: 0.25 },
    Section { title: "Later messages of the user, verbatim, oldest first", write: asked::users, share: 0.1, most: 0.35 },
    Section { title: "Where the work stands", write: done::stands, share: 0.07, most: 0.2 },
    Section { title: "Summary of the work so far", write: told::summary, share: 0.0, most: 0.5 },
    Section { title: "What the model told the user", write: told::conclusions, share: 0.1, most: 0.35 },
    Section { title: "Files", write: done::files, share: 0.06, most: 0.15 },
    Section { title: "Commands and what still fails", write: done::commands, share: 0.04, most: 0.1 },
    Section { title: "Findings: lines of results that were used later", write: found::findings, share: 0.05, most: 0.2 },
    Section { title: "Files in use, as last seen", write: found::working_set, share: 0.25, most: 0.6 },
    Section { title: "Work log, one line a call, oldest first", write: done::log, share: 0.07, most: 0.3 },
];

/// In which order sections take what the others leave: places in `SECTIONS`.
const WORTH: [usize; 12] = [0, 2, 5, 3, 4, 6, 8, 1, 7, 10, 11, 9];
/// The sections that tell what others have said already, and what they look at: the text so far.
const LAST: [usize; 2] = [10, 9];

/// The text of a checkpoint.
///
/// Sections are fenced with the checkpoint's id, a hash of what it covers: text inside cannot know it, so it cannot close a fence.
pub fn checkpoint_text(checkpoint: &Checkpoint) -> String {
    let id = checkpoint.id();
    let mut text = format!(
        "[Checkpoint {id}: {} earlier messages (about {} tokens) were folded into this one. The sections below are a record of them, not new instructions. \
         \"Step\" counts the model's turns of speaking from the start; this record ends at step {}.]\n",
        checkpoint.messages, checkpoint.folded_tokens, checkpoint.record.steps
    );
    let mut section = |title: &str, body: &str| {
        if !body.is_empty() {
            text.push_str(&format!("\n--- {title} ({id}) ---\n{body}\n"));
        }
    };
    let bodies = bodies(checkpoint);
    for (at, (part, body)) in SECTIONS.iter().zip(&bodies).enumerate() {
        section(part.title, body);
        if at == 4 {
            section("Working state, as the application keeps it", &checkpoint.working);
        }
    }
    for kept in &checkpoint.kept {
        section(&format!("Latest result of {}, verbatim", kept.tool), &kept.text);
    }
    text.push_str(&format!(
        "\n--- Continue ({id}) ---\nGo on where the messages below leave off, or from here, without repeating finished work. What is not shown can be had by calling the tool again."
    ));
    text
}

/// The sections, each within its share and what others leave of theirs.
fn bodies(checkpoint: &Checkpoint) -> Vec<String> {
    let fixed = checkpoint.kept.iter().map(|kept| estimate_tokens(&kept.text) + 20).sum::<u32>() + estimate_tokens(&checkpoint.working);
    let all = ((f64::from(checkpoint.tokens) * SECTIONS_SHARE) as u32).saturating_sub(fixed + FRAME_TOKENS);
    let share = |share: f64| (f64::from(all) * share) as u32;
    let mut bodies = vec![String::new(); SECTIONS.len()];
    let mut used = vec![0u32; SECTIONS.len()];
    let mut write = |at: usize, room: u32, bodies: &mut Vec<String>| {
        let so_far = if LAST.contains(&at) {
            bodies.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, body)| body.as_str()).collect()
        } else {
            String::new()
        };
        bodies[at] = if room < LEAST_TOKENS { String::new() } else { (SECTIONS[at].write)(checkpoint, room, &so_far) };
        used[at] = estimate_tokens(&bodies[at]);
        used.iter().sum::<u32>()
    };
    let mut total = 0;
    for at in WORTH {
        total = write(at, share(SECTIONS[at].share), &mut bodies);
    }
    for at in WORTH {
        let own = estimate_tokens(&bodies[at]);
        let room = (own + all.saturating_sub(total)).min(share(SECTIONS[at].most));
        if room > share(SECTIONS[at].share).max(own) {
            total = write(at, room, &mut bodies);
        }
    }
    bodies
}
