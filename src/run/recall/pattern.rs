//! Looks for a pattern in a text: alternatives between `|`, pieces between `*` that follow each other on one line.
//! No regular expressions: nothing here goes back, and what is read is counted, so that a pattern can be dear but never hang.

use std::ops::Range;

/// What beginning to look for a piece costs, in bytes read.
const BEGIN_BYTES: usize = 48;

/// Bytes that may still be read. A count and not a clock: the same question has the same answer everywhere.
pub struct Work {
    /// Bytes left; nothing is read when there are none.
    pub left: usize,
}

impl Work {
    /// This many bytes were read.
    pub fn spend(&mut self, bytes: usize) {
        self.left = self.left.saturating_sub(bytes);
    }

    /// Where a piece begins in a text, as far as there is work left.
    fn find(&mut self, text: &str, piece: &str) -> Option<usize> {
        let mut end = text.len().min(self.left);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let place = text[..end].find(piece);
        self.spend(place.unwrap_or(end) + piece.len() + BEGIN_BYTES);
        place
    }
}

/// A line that matches.
#[derive(Debug, PartialEq)]
pub struct Found {
    /// Its bytes, without the line break.
    pub line: Range<usize>,
    /// Where in the line the match begins.
    pub at: usize,
}

/// A pattern in lower case.
pub struct Pattern<'a> {
    /// For each alternative its pieces; one without pieces matches every line.
    alternatives: Vec<Vec<&'a str>>,
    /// Some of it is escaped where it stands in a JSON string.
    pub has_quotes: bool,
}

impl<'a> Pattern<'a> {
    /// Reads a pattern. Who thinks of an expression writes `.*`.
    pub fn new(lowered: &'a str) -> Pattern<'a> {
        let pieces = |alternative: &'a str| {
            let mut pieces: Vec<&str> = alternative.split('*').collect();
            let last = pieces.len() - 1;
            for piece in &mut pieces[..last] {
                *piece = piece.strip_suffix('.').unwrap_or(piece);
            }
            pieces.retain(|piece| !piece.is_empty());
            pieces
        };
        let alternatives = lowered.split('|').filter(|alternative| !alternative.is_empty()).map(pieces).collect();
        Pattern { alternatives, has_quotes: lowered.contains(['"', '\\']) }
    }

    /// The first lines in a range of a text that match, at most `room`, in order. The range begins with a line.
    pub fn find_lines(&self, text: &str, range: Range<usize>, room: usize, work: &mut Work) -> Vec<Found> {
        let text = &text[..range.end];
        let lowered = text.to_ascii_lowercase();
        // For each alternative the next line that matches, looked for only when it is needed.
        let mut next: Vec<Option<Found>> = self.alternatives.iter().map(|pieces| next_line(&lowered, range.start, pieces, work)).collect();
        let mut found = Vec::new();
        while found.len() < room
            && let Some(first) = next.iter().flatten().map(|found| found.line.start).min()
        {
            let mut chosen = None;
            for (next, pieces) in next.iter_mut().zip(&self.alternatives) {
                if let Some(line) = next.take_if(|found| found.line.start == first) {
                    *next = next_line(&lowered, line.line.end + 1, pieces, work);
                    chosen = chosen.or(Some(line));
                }
            }
            found.extend(chosen);
        }
        found
    }
}

/// The next line from here on that has these pieces one after the other.
fn next_line(text: &str, mut from: usize, pieces: &[&str], work: &mut Work) -> Option<Found> {
    while from <= text.len() && work.left > 0 {
        let place = match pieces.first() {
            Some(piece) => from + work.find(&text[from..], piece)?,
            None => from,
        };
        let start = text[from..place].rfind('\n').map_or(from, |at| from + at + 1);
        let end = work.find(&text[place..], "\n").map_or(text.len(), |at| place + at);
        let mut after = place + pieces.first().map_or(0, |piece| piece.len());
        let is_match = pieces.iter().skip(1).all(|piece| match text.get(after..end).and_then(|rest| work.find(rest, piece)) {
            Some(at) => {
                after += at + piece.len();
                true
            }
            None => false,
        });
        // Where work ended there may be more of the line.
        if is_match && work.left > 0 {
            return Some(Found { line: start..end, at: place - start });
        }
        from = end + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(pattern: &str, text: &str, work_bytes: usize) -> (Vec<Found>, usize) {
        let mut work = Work { left: work_bytes };
        let found = Pattern::new(&pattern.to_ascii_lowercase()).find_lines(text, 0..text.len(), 100, &mut work);
        (found, work_bytes - work.left)
    }

    #[test]
    fn a_star_stands_for_anything_and_for_nothing() {
        for (pattern, line, place) in [
            ("error*", "fatal error", Some(6)),
            ("error.*", "fatal error", Some(6)),
            ("*error", "fatal error", Some(6)),
            ("fatal*error", "fatal error", Some(0)),
            ("error*fatal", "fatal error", None),
            ("*", "fatal error", Some(0)),
            ("none|fatal", "fatal error", Some(0)),
            ("FATAL", "fatal error", Some(0)),
            ("|", "fatal error", None),
            ("fatal*error", "fatal\nerror", None),
        ] {
            assert_eq!(find(pattern, line, 10_000).0.first().map(|found| found.at), place, "{pattern}");
        }
    }

    #[test]
    fn lines_come_in_order_and_once_whichever_alternative_they_match() {
        let (found, _) = find("two|one|e*e", "one\ntwo one\nthree\nfour\n", 10_000);
        assert_eq!(found.iter().map(|found| found.line.clone()).collect::<Vec<_>>(), [0..3, 4..11, 12..17]);
    }

    #[test]
    fn no_pattern_reads_more_than_it_may() {
        let texts = ["a".repeat(1 << 20), "\n".repeat(1 << 20), "a\n".repeat(1 << 19), "aé".repeat(1 << 18), "aaab".repeat(1 << 18)];
        let long = format!("{}b", "a".repeat(199));
        let many = (0..66).map(|number| format!("z{number}")).collect::<Vec<_>>().join("|");
        for pattern in
            ["nowhere", "(a*)*b", "a*a*a*a*a*a*a*a*b", "(a+)+$", "{1000}{1000}", r"\p{L}*", &"a*".repeat(100), &long, &many, "a*|b*|*", "é"]
        {
            for text in &texts {
                let (_, spent) = find(pattern, text, 100_000);
                assert!(spent <= 100_000, "{pattern:.20}");
                // Without a bound the work grows with the text times the pieces, and not faster: lines are never read again.
                let pieces = pattern.split(['|', '*']).count();
                let (_, spent) = find(pattern, text, usize::MAX);
                assert!(spent <= (pieces + 1) * (text.len() + 1) * (2 * BEGIN_BYTES + pattern.len() + 4), "{pattern:.20}: {spent}");
            }
        }
    }
}
