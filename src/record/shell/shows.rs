//! Whether a command that reads a file shows lines of it as they are. Not which lines (see `shell`).

use crate::record::shell::words::Simple;

/// Whether a reader shows lines of one file as they are, from the first or from those that were asked for.
pub fn shows_lines(name: &str, arguments: &[&str], rest: &[Simple]) -> bool {
    let flags = || arguments.iter().filter(|word| word.starts_with('-'));
    let one_file =
        arguments.iter().filter(|word| !word.starts_with('-') && word.parse::<u32>().is_err()).count() == if name == "sed" { 2 } else { 1 };
    let is_named = !arguments.iter().any(|word| name != "sed" && word.contains(['*', '$', '{', '?']));
    let ranges =
        |words: &[&str]| words.iter().any(|word| word.contains([';', '\n']) || word.matches('p').count() > 1 && word.contains(','));
    let is_plain = match name {
        "cat" => flags().all(|flag| *flag == "-n"),
        "nl" => flags().any(|flag| *flag == "-ba"),
        "head" => flags().all(|flag| flag.trim_start_matches("-n").trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit())),
        "sed" => !ranges(&arguments[..arguments.len().min(2)]),
        "open" => true,
        _ => false,
    };
    let filtered = match rest {
        [] => true,
        // What chooses lines of chosen lines shows others than it says.
        [filter] => {
            let words: Vec<&str> = filter.words.iter().map(|(word, _)| word.as_str()).collect();
            matches!(name, "cat" | "nl")
                && match words.as_slice() {
                    ["sed", "-n", range] => !ranges(&[range]),
                    ["head", "-n", count] => count.parse::<u32>().is_ok(),
                    ["head", count] => count.strip_prefix('-').is_some_and(|count| count.parse::<u32>().is_ok()),
                    ["head"] | ["cat"] => true,
                    _ => false,
                }
        }
        _ => false,
    };
    is_plain && filtered && is_named && (one_file || name == "open")
}
