//! Where lines of a file may be parted: between functions and paragraphs, by empty lines and indentation. Knows no language.

use std::ops::Range;

/// A block of fewer lines goes with a neighbour.
const LEAST_LINES: usize = 4;
/// A longer block is parted inside.
const MOST_LINES: usize = 70;
/// How deep blocks are parted.
const LEVELS: usize = 4;

/// The blocks of lines that stand together, in order and without a gap.
pub fn blocks(lines: &[&str]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    part(lines, 0..lines.len(), LEVELS, &mut found);
    let mut merged: Vec<Range<usize>> = Vec::new();
    for block in found {
        let is_short = |range: &Range<usize>| lines[range.clone()].iter().filter(|line| !line.trim().is_empty()).count() < LEAST_LINES;
        match merged.last_mut().filter(|last| (is_short(last) || is_short(&block)) && block.end - last.start <= MOST_LINES) {
            Some(last) => last.end = block.end,
            None => merged.push(block),
        }
    }
    merged
}

fn part(lines: &[&str], range: Range<usize>, levels: usize, found: &mut Vec<Range<usize>>) {
    if range.len() <= MOST_LINES && levels < LEVELS || levels == 0 {
        found.extend((!range.is_empty()).then_some(range));
        return;
    }
    let own = &lines[range.clone()];
    let least = own.iter().filter(|line| !line.trim().is_empty() && !closes(line)).map(|line| indent(line)).min().unwrap_or(0);
    let begins = |at: &usize| {
        let line = own[*at];
        let before = own[at - 1];
        let is_behind = before.trim().is_empty() || closes(before) && indent(before) <= least;
        is_behind && !line.trim().is_empty() && !closes(line) && indent(line) == least
    };
    let mut starts: Vec<usize> = vec![0];
    starts.extend((1..own.len()).filter(begins));
    starts.push(own.len());
    let parts: Vec<Range<usize>> = starts.windows(2).map(|pair| range.start + pair[0]..range.start + pair[1]).collect();
    if let [only] = parts.as_slice() {
        // A head and its body: the body is parted, and the head goes with the first part of it.
        let first = found.len();
        part(lines, only.start + 1..only.end, levels - 1, found);
        if let Some(body) = found.get_mut(first) {
            body.start = only.start;
        }
        return;
    }
    for own in parts {
        part(lines, own, levels - 1, found);
    }
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Whether a line only closes what others opened.
fn closes(line: &str) -> bool {
    let line = line.trim();
    line == "end" || !line.is_empty() && line.bytes().all(|byte| matches!(byte, b'}' | b')' | b']' | b';' | b',' | b'>' | b'/'))
}

/// Whether lines say nothing by themselves: imports, comments, what only closes.
pub fn is_filling(lines: &[&str]) -> bool {
    const FILLING: [&str; 12] = ["import ", "from ", "use ", "#include", "require(", "package ", "//", "/*", "*", "# ", "\"\"\"", "<!--"];
    let mut inside = false;
    lines.iter().all(|line| {
        let line = line.trim();
        let begins = FILLING.iter().any(|beginning| line.starts_with(beginning)) || line == "#";
        let is_filling = line.is_empty() || inside || begins || closes(line) || line.contains(" = require(");
        // A list of imported names goes on over lines.
        let opens = begins && line.ends_with(['{', '(']);
        inside = opens || inside && !line.starts_with(['}', ')']);
        is_filling
    })
}

/// Whether a line only brings in names of other files.
pub fn is_import(line: &str) -> bool {
    ["import ", "use ", "#include", "from "].iter().any(|beginning| line.starts_with(beginning)) && !line.ends_with(['{', '('])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_parted_between_functions() {
        let text = "use a;\nuse b;\nuse c;\nuse d;\n\n/// One.\nfn one() {\n    1;\n\n    2\n}\n\nfn two() {\n    3;\n    4\n}\n\nconst A: u8 = 1;";
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(blocks(&lines), [0..5, 5..12, 12..18]);
        assert!(is_filling(&lines[0..5]) && !is_filling(&lines[5..12]));
        assert!(is_filling(&["import {", "  a,", "} from 'a';", "// b"]) && is_filling(&["}", "  });"]));
        assert!(blocks(&[]).is_empty());
    }

    #[test]
    fn a_long_class_is_parted_between_its_methods() {
        let method = |name: &str| format!("    def {name}(self):\n{}\n", "        work()\n".repeat(30));
        let text = format!("class A:\n{}{}{}", method("one"), method("two"), method("three"));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(blocks(&lines), [0..33, 33..65, 65..97]);
    }
}
