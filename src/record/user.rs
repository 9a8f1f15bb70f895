//! What a message in the role of the user says: what the person asks, the rules that came with it, and what a harness wrote.
//! Not what is kept of it.

mod rules;

use crate::clip::{clip, first_chars};
pub use crate::record::user::rules::rules_of;
use crate::record::user::rules::strict_rules_of;

/// Longest text of what is asked, in characters; what is longer keeps head and tail elsewhere, so this only bounds memory.
const ASKED_CHARS: usize = 200_000;
/// From this length on, in bytes, the rules of a message are kept beside it as well: they may stand where it is cut.
const LONG_BYTES: usize = 1_500;
/// A title of more words says what is to be done, not what the file below it is.
const TITLE_WORDS: usize = 6;
/// Rules of one message.
const RULES: usize = 60;

/// What a message in the role of the user says. May hold secrets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserText {
    /// What the person asks, in their words; empty when they ask nothing. Of a message that a harness wrote, what it reports.
    pub asked: String,
    /// Instructions that stand in preambles, such as AGENTS.md, or in a long request, each one line, the strictest first; without boilerplate.
    pub rules: Vec<String>,
    /// A harness wrote the message, not the person.
    pub is_harness: bool,
}

/// Blocks that tell of surroundings: left out.
const SURROUNDINGS: [&str; 23] = [
    "system-reminder",
    "system_reminder",
    "environment_context",
    "environment_details",
    "current_datetime",
    "local-command-stdout",
    "local-command-stderr",
    "local-command-caveat",
    "command-message",
    "ide_opened_file",
    "ide_selection",
    "ide_diagnostics",
    "git_status",
    "user-prompt-submit-hook",
    "attached_files",
    "open_and_recently_viewed_files",
    "user_info",
    "project_layout",
    "rules_reminder",
    "file_contents",
    "sql_tables",
    "bash-stdout",
    "bash-stderr",
];
/// Blocks of instructions: their rules are kept.
const INSTRUCTIONS: [&str; 14] = [
    "INSTRUCTIONS",
    "user_instructions",
    "instructions",
    "permissions instructions",
    "collaboration_mode",
    "skills_instructions",
    "apps_instructions",
    "plugins_instructions",
    "custom_instructions",
    "rules",
    "always_applied_workspace_rules",
    "cursor_rules",
    "EXTREMELY_IMPORTANT",
    "skill",
];
/// Blocks that hold what the person asks.
const ASKED: [&str; 5] = ["user_query", "task", "user_message", "feedback", "user_request"];

/// Beginnings of messages that a harness writes and that report nothing.
const HARNESS: [&str; 17] = [
    "Summarize the task tool output above",
    "[Request interrupted by user",
    "Operation stopped by hook",
    "<turn_aborted>",
    "<environment_context>",
    "<local-command-caveat>",
    "<local-command-stdout>",
    "Caveat: The messages below",
    "<bash-input>",
    "<bash-stdout>",
    "Here is a demonstration of how to correctly",
    "This is the Gemini CLI. We are setting up",
    "Stop hook feedback",
    "<user-prompt-submit-hook>",
    "[SYSTEM:",
    "<system-reminder>",
    "<system_reminder>",
];
/// Beginnings of messages that a harness writes and that report something.
const REPORTS: [&str; 6] = [
    "<task-notification>",
    "<subagent_notification>",
    "This session is being continued from a previous conversation",
    "<summary>",
    "[CONTEXT COMPACTION",
    "Another language model started to solve this problem",
];

/// What a message in the role of the user says.
pub fn read_user(text: &str) -> UserText {
    let text = text.trim();
    if REPORTS.iter().any(|beginning| text.starts_with(beginning)) {
        return UserText { asked: clip(&reported(text), ASKED_CHARS), rules: Vec::new(), is_harness: true };
    }
    if let Some((asked, body)) = slash_command(text) {
        return UserText { asked, rules: distinct(strict_rules_of(&body)), is_harness: false };
    }
    let mut rules = Vec::new();
    let mut rest = text.to_owned();
    for tag in SURROUNDINGS {
        take_blocks(&mut rest, tag, |block| {
            // Claude Code passes on CLAUDE.md in a reminder.
            if block.contains("CLAUDE.md") || block.contains("AGENTS.md") {
                rules.extend(rules_of(block));
            }
        });
    }
    for tag in INSTRUCTIONS {
        take_blocks(&mut rest, tag, |block| rules.extend(rules_of(block)));
    }
    let has_blocks = rest.len() < text.len();
    let mut asked = String::new();
    for tag in ASKED {
        take_blocks(&mut rest, tag, |block| {
            asked.push_str(if asked.is_empty() { "" } else { "\n\n" });
            asked.push_str(block.trim());
        });
    }
    if asked.is_empty() {
        asked = without_preamble(&rest, has_blocks, &mut rules);
    }
    let is_harness = asked.is_empty() || HARNESS.iter().any(|beginning| asked.starts_with(beginning));
    if is_harness {
        asked.clear();
    }
    if asked.len() > LONG_BYTES {
        rules.extend(rules_of(&asked));
    }
    UserText { asked: clip(&asked, ASKED_CHARS), rules: distinct(rules), is_harness }
}

/// The first rules, each once.
fn distinct(rules: Vec<String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for rule in rules {
        if kept.len() < RULES && !kept.contains(&rule) {
            kept.push(rule);
        }
    }
    kept
}

/// Commands that put no text behind them: what follows is the user's.
const PLAIN_COMMANDS: [&str; 10] = ["/clear", "/compact", "/model", "/mode", "/login", "/logout", "/config", "/cost", "/status", "/mcp"];

/// Whether a message is a command behind which the harness puts a text of its own.
pub fn is_command_with_text(text: &str) -> bool {
    let text = text.trim_start();
    let name = text.split_once("<command-name>").and_then(|(_, rest)| rest.split_once('<')).map_or("", |(name, _)| name.trim());
    text.starts_with("<command-") && !name.is_empty() && !PLAIN_COMMANDS.contains(&name)
}

/// Whether a text is a command to the harness and nothing else: `/mode`.
pub fn is_bare_command(asked: &str) -> bool {
    asked
        .strip_prefix('/')
        .is_some_and(|name| !name.is_empty() && name.chars().all(|sign| sign.is_alphanumeric() || matches!(sign, '-' | '_' | ':')))
}

/// Takes all blocks `<tag …>…</tag>` out of a text.
fn take_blocks(text: &mut String, tag: &str, mut each: impl FnMut(&str)) {
    let opening = format!("<{tag}");
    if !text.contains(&opening) {
        return;
    }
    let closing = format!("</{tag}>");
    let mut kept = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find(&opening) {
        let behind = &rest[at + opening.len()..];
        // `<tasks>` is no `<task>`, and what never ends is no block.
        let open = behind.find('>').filter(|_| behind.starts_with(['>', ' ', '\n']));
        let block = open.and_then(|open| Some((open + 1, behind.find(&closing)?)));
        match block.filter(|(start, end)| start <= end) {
            Some((start, end)) => {
                kept.push_str(&rest[..at]);
                each(&behind[start..end]);
                rest = &behind[end + closing.len()..];
            }
            None => {
                // Nothing further closes either.
                if !behind.contains(&closing) {
                    break;
                }
                kept.push_str(&rest[..at + opening.len()]);
                rest = behind;
            }
        }
    }
    kept.push_str(rest);
    *text = kept;
}

/// What a report of a harness says, without its marks.
fn reported(text: &str) -> String {
    let part = |tag: &str| {
        text.split_once(&format!("<{tag}>")).and_then(|(_, rest)| rest.split_once(&format!("</{tag}>"))).map(|(inner, _)| inner.trim())
    };
    match (part("summary"), part("result")) {
        (Some(summary), Some(result)) => format!("{summary}\n\n{result}"),
        (None, Some(result)) => result.to_owned(),
        (Some(summary), None) => summary.to_owned(),
        (None, None) => text.to_owned(),
    }
}

/// `/plan do this`, as Claude Code marks what a person typed, and the command's own text beside it.
fn slash_command(text: &str) -> Option<(String, String)> {
    if !text.starts_with("<command-name>") && !text.starts_with("<command-message>") {
        return None;
    }
    let part = |tag: &str| {
        text.split_once(&format!("<{tag}>")).and_then(|(_, rest)| rest.split_once(&format!("</{tag}>"))).map(|(inner, _)| inner.trim())
    };
    let name = part("command-name")?;
    let slash = if name.starts_with('/') { "" } else { "/" };
    let mut body = text.to_owned();
    ["command-name", "command-message", "command-args"].into_iter().for_each(|tag| take_blocks(&mut body, tag, |_| {}));
    Some((clip(format!("{slash}{name} {}", part("command-args").unwrap_or_default()).trim(), ASKED_CHARS), body))
}

/// A request without what stands before it: an instruction file, the frame of SWE-agent, a skill's text, what aider logs.
/// Where the file stood in a block, which is out already, what follows its title is the person's.
fn without_preamble(text: &str, has_blocks: bool, rules: &mut Vec<String>) -> String {
    let text = text.trim();
    if has_blocks && text.starts_with("# AGENTS.md instructions") {
        return text.split_once('\n').map_or(String::new(), |(_, asked)| asked.trim().to_owned());
    }
    if text.starts_with("--- project-doc ---") || is_instruction_file(text) {
        rules.extend(rules_of(text));
        return String::new();
    }
    if text.starts_with("Base directory for this skill:") || text.starts_with("<skill ") {
        rules.extend(rules_of(text));
        return text.rsplit_once("\nARGUMENTS:").map_or(String::new(), |(_, arguments)| arguments.trim().to_owned());
    }
    if text.starts_with("We're currently solving")
        && let Some((asked, orders)) = text.split_once("\nINSTRUCTIONS:")
    {
        rules.extend(rules_of(orders));
        return asked.trim().to_owned();
    }
    if text.starts_with("[aider]") { without_log(text) } else { text.to_owned() }
}

/// Whether a text is an instruction file, by its title or by what it says of itself.
fn is_instruction_file(text: &str) -> bool {
    const SELVES: [&str; 2] = ["this file provides guidance to ", "this file provides instructions "];
    const TITLES: [&str; 6] =
        ["guidelines", "agent instructions", "copilot instructions", "project instructions", "coding conventions", "custom instructions"];
    let Some(title) = text.strip_prefix("# ") else { return false };
    let title = title.lines().next().unwrap_or_default().trim().to_ascii_lowercase();
    let is_short = title.split_whitespace().count() <= TITLE_WORDS;
    let start = first_chars(text, 600).to_ascii_lowercase();
    ["agents.md", "claude.md", "gemini.md"].iter().any(|name| title.starts_with(name))
        || SELVES.iter().any(|words| start.contains(words))
        // "Write guidelines" asks for some.
        || is_short && TITLES.iter().any(|words| title.ends_with(words)) && !begins_with_order(&title)
}

/// Whether a title begins with a word that orders something.
fn begins_with_order(title: &str) -> bool {
    const ORDERS: [&str; 12] =
        ["add", "write", "update", "create", "fix", "review", "improve", "draft", "make", "rewrite", "change", "implement"];
    title.split_whitespace().next().is_some_and(|word| ORDERS.contains(&word))
}

/// What a person typed between what aider logged.
fn without_log(text: &str) -> String {
    const LOGGED: [&str; 18] = [
        "[aider]",
        "Tokens:",
        "Applied edit to",
        "Commit ",
        "You can use /undo",
        "^C",
        "Aider v",
        "Model",
        "Git repo",
        "Repo-map",
        "Added ",
        "Use /help",
        "Removed:",
        "Now at:",
        "Warning:",
        "Weak model",
        "Main model",
        "Committing ",
    ];
    let is_typed = |line: &&str| !LOGGED.iter().any(|beginning| line.trim_start().starts_with(beginning)) && !line.contains("/bin/aider ");
    text.lines().filter(is_typed).collect::<Vec<_>>().join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_person_asks_is_told_from_what_a_harness_writes() {
        for (text, asked, is_harness) in [
            ("fix it", "fix it", false),
            ("[Request interrupted by user for tool use]", "", true),
            ("Operation stopped by hook: Another session is active", "", true),
            ("<turn_aborted>\nThe user interrupted\n</turn_aborted>", "", true),
            ("<environment_context>\n  <cwd>/a</cwd>\n</environment_context>", "", true),
            (
                "<current_datetime>2026</current_datetime>\n\ncall it update\n\n<system_reminder>\n<sql_tables>t</sql_tables>\n</system_reminder>",
                "call it update",
                false,
            ),
            ("<local-command-stdout>Enabled plan mode</local-command-stdout>", "", true),
            (
                "<command-name>/plan</command-name>\n  <command-message>plan</command-message>\n  <command-args>why so</command-args>",
                "/plan why so",
                false,
            ),
            (
                "<task-notification>\n<task-id>a</task-id>\n<summary>Agent done</summary>\n<result>All good</result>\n</task-notification>",
                "Agent done\n\nAll good",
                true,
            ),
            ("<user_query>\ndo x\n</user_query>\n<attached_files>a</attached_files>", "do x", false),
            ("<tasks>a</tasks>", "<tasks>a</tasks>", false),
            ("<task>never closed", "<task>never closed", false),
            (
                "We're currently solving the following issue. Here's the issue text:\nISSUE:\nX\n\nINSTRUCTIONS:\nYou must submit.",
                "We're currently solving the following issue. Here's the issue text:\nISSUE:\nX",
                false,
            ),
            ("[aider]\nTokens: 1 sent\nApplied edit to a\n\nswitch to a bar graph", "switch to a bar graph", false),
            (
                "# AGENTS.md instructions for /a\n\n<INSTRUCTIONS>\n- Never push.\n</INSTRUCTIONS>\n\nFix the parser.",
                "Fix the parser.",
                false,
            ),
            ("Base directory for this skill: /a\n\n# Review\nYou must be brief.\n\nARGUMENTS: src/a.rs", "src/a.rs", false),
            ("# Repository Guidelines\n\n## Style\n- Use tabs.\n", "", true),
            ("# CLAUDE.md\n\nThis file provides guidance to the agent.\n", "", true),
            ("# Write guidelines\n\nFor people who are new here.", "# Write guidelines\n\nFor people who are new here.", false),
            ("", "", true),
        ] {
            let user = read_user(text);
            assert_eq!((user.asked.as_str(), user.is_harness), (asked, is_harness), "{text}");
        }
    }

    #[test]
    fn instructions_are_kept_by_their_rules() {
        let user = read_user(
            "# AGENTS.md instructions for /a\n\n<INSTRUCTIONS>\n# Style\n\n- Use lowercase after the colon\n- Never create draft pull requests unless asked.\n\nThis repo is a tool.\n\
             ```bash\nmust not be read\n```\n</INSTRUCTIONS>",
        );
        assert!(user.is_harness && user.asked.is_empty());
        assert_eq!(user.rules, ["Never create draft pull requests unless asked.", "Style: Use lowercase after the colon"]);
        let reminder = read_user("<system-reminder>\nContents of CLAUDE.md:\n- Always run the linter.\n</system-reminder>\nhello");
        assert_eq!((reminder.asked.as_str(), reminder.rules.as_slice()), ("hello", &["Always run the linter.".to_owned()][..]));
        let command = read_user(
            "<command-message>ship</command-message>\n<command-name>/ship</command-name>\n<command-args>v2</command-args>\n\
             Ship the branch.\n- Use the script.\n- Never push to main.\n",
        );
        assert_eq!((command.asked.as_str(), command.rules.as_slice()), ("/ship v2", &["Never push to main.".to_owned()][..]));
        let long = format!("{}\n\nYou must not push.\n\n{}", "Plain words. ".repeat(200), "More words. ".repeat(200));
        assert_eq!(read_user(&long).rules, ["You must not push."]);
    }

    #[test]
    fn texts_made_to_be_slow_are_read() {
        for text in ["<task>".repeat(50_000), "<task ".repeat(50_000), "- must ".repeat(100_000), "<rules>x</rules>".repeat(20_000)] {
            let user = read_user(&text);
            assert!(user.rules.len() <= RULES && user.asked.chars().count() <= ASKED_CHARS + 1);
        }
    }
}
