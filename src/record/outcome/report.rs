//! What a result holds beneath what its harness wraps around it: exit codes, wall times, JSON, reminders, colours.
//! Not what it means (see `outcome`).

use std::borrow::Cow;

use crate::json::Value;
use crate::redact::control_length;

/// Bytes of a result that are looked at, half of them from its end.
const LOOKED_BYTES: usize = 128 * 1024;
/// Wrappers within wrappers that are taken off.
const LEVELS: usize = 4;

/// A result without its wrapper.
#[derive(Debug, Default)]
pub struct Report {
    /// Its text, clean of colours and of what the harness added.
    pub body: String,
    /// The exit code of the command, if it says one.
    pub exit: Option<i64>,
    /// It runs still.
    pub is_running: bool,
    /// A field of it says that it failed.
    pub is_error: bool,
}

/// Takes the wrapper off a result.
pub fn read_report(text: &str) -> Report {
    let mut report = Report { body: plain(&bounded(text)).into_owned(), ..Report::default() };
    for _ in 0..LEVELS {
        let length = report.body.len();
        unwrap_json(&mut report);
        unwrap_head(&mut report);
        unwrap_tail(&mut report);
        if report.body.len() == length {
            break;
        }
    }
    report
}

/// Head and tail of a text that is very long.
fn bounded(text: &str) -> Cow<'_, str> {
    if text.len() <= LOOKED_BYTES {
        return text.into();
    }
    let head = (0..=LOOKED_BYTES / 2).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let tail = (text.len() - LOOKED_BYTES / 2..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    format!("{}\n{}", &text[..head], &text[tail..]).into()
}

/// Without the codes of a terminal: colours, what was overwritten in a line, and other control characters.
fn plain(text: &str) -> Cow<'_, str> {
    // Of control characters beyond ASCII the first byte is this one.
    if !text.bytes().any(|byte| byte < b' ' && byte != b'\n' && byte != b'\t' || byte == 0x7f || byte == 0xc2) {
        return text.into();
    }
    let mut lines = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(|sign: char| (sign < ' ' || ('\u{7f}'..='\u{9f}').contains(&sign)) && sign != '\n' && sign != '\t') {
        lines.push_str(&rest[..at]);
        let bytes = rest.as_bytes();
        // What a line begins anew stands over what it held; only a new line keeps it.
        if bytes[at] == b'\r' && bytes.get(at + 1).is_some_and(|next| *next != b'\n' && *next != b'\r') {
            lines.truncate(lines.rfind('\n').map_or(0, |end| end + 1));
        }
        rest = rest.get(at + control_length(&bytes[at..])..).unwrap_or_default();
    }
    lines.push_str(rest);
    lines.into()
}

/// An object that holds the output of a command and how it ended.
fn unwrap_json(report: &mut Report) {
    let text = report.body.trim();
    if !text.starts_with('{') || !text.ends_with('}') {
        return;
    }
    let Some(value) = Value::parse(text) else { return };
    let inside = value.get("metadata").unwrap_or(&Value::Null);
    let exit = ["exit_code", "exitCode", "return_code", "returncode"].iter().find_map(|key| value.get(key).or_else(|| inside.get(key)));
    if let Some(code) = exit.and_then(|code| code.scalar_text().parse().ok()) {
        report.exit = Some(code);
    }
    let texts = ["output", "aggregated_output", "stdout", "stderr", "result", "content", "message", "error", "text"];
    let said: Vec<&str> = texts.iter().filter_map(|key| value.get(key)?.as_str()).filter(|text| !text.trim().is_empty()).collect();
    let failed = |value: &Value| value.get("is_error") == Some(&Value::Bool(true)) || value.get("success") == Some(&Value::Bool(false));
    let error = value.get("error").is_some_and(|error| !matches!(error, Value::Null | Value::Bool(false)) && error.as_str() != Some(""));
    report.is_error |= failed(&value) || error || value.get("code").is_some_and(|code| code.as_str() == Some("failure"));
    let is_session = value.get("session_id").is_some() && value.get("chunk_id").is_some();
    report.is_running |= is_session && exit.is_none();
    let is_wrapper =
        exit.is_some() || is_session || error || value.get("stdout").is_some() || value.children().len() <= 3 && !said.is_empty();
    if is_wrapper && (!said.is_empty() || exit.is_some() || is_session) {
        report.body = plain(&said.join("\n")).into_owned();
    }
}

/// What harnesses put before the output: Codex, Claude Code, Gemini CLI, OpenCode.
fn unwrap_head(report: &mut Report) {
    let text = report.body.trim_start();
    if text.starts_with("Script running with cell ID") || text.starts_with("Process running with session ID") {
        report.is_running = true;
    }
    report.is_error |= text.starts_with("Script failed") || text.starts_with("<tool_use_error>");
    const HEADS: [&str; 15] = [
        "Script completed",
        "Script failed",
        "Script running",
        "Wall time",
        "Chunk ID:",
        "Process exited with code",
        "Process running with",
        "Original token count",
        "Exit code",
        "Warning: truncated output",
        "Total output lines:",
        "Output:",
        "Command:",
        "Directory:",
        "Session ID:",
    ];
    let is_head = |line: &str| HEADS.iter().any(|head| line.starts_with(head));
    if text.lines().next().is_some_and(is_head) {
        let mut rest = text;
        let mut is_open = true;
        while is_open && !rest.is_empty() {
            let (line, others) = rest.split_once('\n').unwrap_or((rest, ""));
            if !is_head(line) && !line.trim().is_empty() {
                break;
            }
            if let Some(code) = line.strip_prefix("Exit code").or_else(|| line.strip_prefix("Process exited with code")) {
                report.exit = code.trim_start_matches([':', ' ']).trim().parse().ok().or(report.exit);
            }
            report.is_running |= line.starts_with("Process running with");
            rest = others;
            if let Some(output) = line.strip_prefix("Output:") {
                // Gemini writes on the line itself.
                report.body = format!("{}\n{rest}", output.trim());
                return;
            }
            // What stands below a single exit code is the output.
            is_open = !(line.starts_with("Exit code ") && report.exit.is_some());
        }
        report.body = rest.to_owned();
    }
    let text = report.body.trim_start();
    if let Some((head, content)) = text.split_once("<content>").filter(|(head, _)| head.starts_with("<path>") && head.len() < 2_000) {
        let _ = head;
        report.body = content.to_owned();
    }
}

/// What harnesses put behind the output: reminders, exit codes, where a shell is.
fn unwrap_tail(report: &mut Report) {
    for tag in ["system-reminder", "system_reminder"] {
        while let Some(at) = report.body.find(&format!("<{tag}>")) {
            let rest = report.body[at..].split_once(&format!("</{tag}>")).map_or("", |(_, rest)| rest).to_owned();
            report.body.truncate(at);
            report.body.push_str(&rest);
        }
    }
    if let Some(inner) = report.body.trim().strip_prefix("<tool_use_error>") {
        report.body = inner.trim_end_matches("</tool_use_error>").to_owned();
    }
    loop {
        let body = report.body.trim_end();
        let (before, last) = body.rsplit_once('\n').unwrap_or(("", body));
        let line = last.trim();
        let code = |text: &str| text.trim_end_matches(['>', '.']).rsplit(' ').next().and_then(|code| code.parse().ok());
        let is_note = if line.starts_with("<shellId:") || line.starts_with("<exited with") || line.starts_with("<command with shellId") {
            report.is_running |= line.contains("still running");
            report.exit = code(line).or(report.exit);
            true
        } else if let Some(exit) = line.strip_prefix("Exit Code:") {
            report.exit = exit.trim().parse().ok().or(report.exit);
            true
        } else {
            const NOTES: [&str; 13] = [
                "Shell cwd was reset to",
                "(Open file:",
                "(Current directory:",
                "bash-$",
                "</content>",
                "Signal:",
                "Background PIDs:",
                "Process Group PGID:",
                "Error: (none)",
                "(End of file",
                "REMINDER:",
                "<bash_metadata>",
                "</bash_metadata>",
            ];
            NOTES.iter().any(|note| line.starts_with(note))
        };
        if !is_note {
            break;
        }
        report.body = before.to_owned();
    }
    if let Some(at) = report.body.rfind("///PROCESS-DONE:") {
        report.exit = report.body[at + 16..].split(':').next().and_then(|code| code.parse().ok()).or(report.exit);
        report.body.truncate(at);
    }
}
