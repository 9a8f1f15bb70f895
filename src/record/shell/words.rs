//! Cuts a script of a shell into its simple commands: words, redirections, here-documents, and what stands between them.
//! Knows quotes and nesting, and expands nothing. Not what the commands do (see `shell`).

/// Commands that are read of one script.
const COMMANDS: usize = 200;

/// What stands behind a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joint {
    /// `|`
    Pipe,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `;`, `&`, a new line, or the end.
    Next,
}

/// A command with its arguments.
#[derive(Debug)]
pub struct Simple {
    /// Its words, without quotes, and where each begins in the script.
    pub words: Vec<(String, usize)>,
    /// The file its output goes to, and whether it is added there.
    pub output: Option<(String, bool)>,
    /// Its here-document.
    pub document: Option<String>,
    /// Its here-document stands in quotes, so that nothing in it is replaced.
    pub is_quoted: bool,
    /// Where its last word ends in the script.
    pub end: usize,
    /// What stands behind it.
    pub joint: Joint,
}

impl Simple {
    /// Whether its here-document is what it says.
    pub fn is_literal(&self) -> bool {
        self.is_quoted || self.document.as_ref().is_some_and(|text| !text.contains(['$', '`', '\\']))
    }
}

/// The commands of a script, in order.
pub fn commands(script: &str) -> Vec<Simple> {
    let mut reader = Reader { script, bytes: script.as_bytes(), at: 0, found: Vec::new(), pending: Vec::new() };
    while reader.at < reader.bytes.len() && reader.found.len() < COMMANDS {
        reader.command();
    }
    reader.found
}

/// What the next word is for.
enum Next {
    Word,
    Output { append: bool },
    Nothing,
    Document { dash: bool },
}

struct Reader<'a> {
    script: &'a str,
    bytes: &'a [u8],
    at: usize,
    found: Vec<Simple>,
    /// Delimiters of here-documents that begin on the next line: the command's index, the word, whether tabs are cut.
    pending: Vec<(usize, String, bool)>,
}

impl Reader<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn command(&mut self) {
        let mut simple = Simple { words: Vec::new(), output: None, document: None, is_quoted: false, end: self.at, joint: Joint::Next };
        let mut next = Next::Word;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\\' if self.peek(1) == b'\n' => self.at += 2,
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'#' => self.at = self.line_end(),
                b'\n' | b';' | b'(' | b')' => {
                    self.at += 1;
                    if byte == b'\n' {
                        self.close(simple);
                        self.documents();
                        return;
                    }
                    break;
                }
                b'|' | b'&' if self.peek(1) == byte => {
                    simple.joint = if byte == b'|' { Joint::Or } else { Joint::And };
                    self.at += 2;
                    break;
                }
                b'&' if self.peek(1) == b'>' => {
                    self.at += 1;
                    self.redirection(b'>');
                    next = Next::Nothing;
                }
                b'|' => {
                    simple.joint = Joint::Pipe;
                    self.at += if self.peek(1) == b'&' { 2 } else { 1 };
                    break;
                }
                b'&' => {
                    self.at += 1;
                    break;
                }
                b'<' | b'>' if self.peek(1) != b'(' => {
                    next = self.redirection(byte);
                }
                _ => {
                    let start = self.at;
                    let word = self.word();
                    let is_number = word.bytes().all(|byte| byte.is_ascii_digit()) && !word.is_empty();
                    if is_number && matches!(self.peek(0), b'<' | b'>') {
                        let kept = self.redirection(self.peek(0));
                        next = if word == "1" { kept } else { Next::Nothing };
                        continue;
                    }
                    match std::mem::replace(&mut next, Next::Word) {
                        Next::Word => {
                            simple.words.push((word, start));
                            simple.end = self.at;
                        }
                        Next::Output { append } => simple.output = Some((word, append)),
                        Next::Document { dash } => {
                            simple.is_quoted = matches!(self.bytes.get(start), Some(b'\'' | b'"' | b'\\'));
                            self.pending.push((self.found.len(), word, dash));
                        }
                        Next::Nothing => {}
                    }
                }
            }
        }
        self.close(simple);
    }

    /// Keeps a command, if it has any words. What is joined to nothing is joined to what stands before.
    fn close(&mut self, simple: Simple) {
        if !simple.words.is_empty() || simple.output.is_some() {
            self.found.push(simple);
        }
    }

    fn redirection(&mut self, byte: u8) -> Next {
        let length = self.bytes.get(self.at..).unwrap_or_default().iter().take(3).take_while(|next| **next == byte).count();
        self.at += length;
        let next = match (byte, length) {
            (b'<', 2) => {
                let dash = self.peek(0) == b'-';
                self.at += usize::from(dash);
                Next::Document { dash }
            }
            (b'>', _) if self.peek(0) == b'&' => {
                self.at += 1;
                Next::Nothing
            }
            (b'>', length) => {
                self.at += usize::from(self.peek(0) == b'|');
                Next::Output { append: length > 1 }
            }
            _ => Next::Nothing,
        };
        while matches!(self.peek(0), b' ' | b'\t') {
            self.at += 1;
        }
        next
    }

    /// One word, its quotes taken off.
    fn word(&mut self) -> String {
        let mut word = Vec::new();
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' => break,
                b'<' | b'>' if self.peek(1) != b'(' => break,
                b'\'' => {
                    let length = self.bytes[self.at + 1..].iter().position(|byte| *byte == b'\'').unwrap_or(self.bytes.len() - self.at - 1);
                    word.extend_from_slice(&self.bytes[self.at + 1..self.at + 1 + length]);
                    self.at = (self.at + length + 2).min(self.bytes.len());
                }
                b'"' => self.quoted(&mut word),
                b'\\' => {
                    word.extend(self.bytes.get(self.at + 1).filter(|byte| **byte != b'\n'));
                    self.at = (self.at + 2).min(self.bytes.len());
                }
                b'$' | b'<' | b'>' if self.peek(1) == b'(' => self.nested(&mut word),
                _ => {
                    word.push(byte);
                    self.at += 1;
                }
            }
        }
        String::from_utf8_lossy(&word).into_owned()
    }

    fn quoted(&mut self, word: &mut Vec<u8>) {
        self.at += 1;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'"' => {
                    self.at += 1;
                    return;
                }
                b'\\' if matches!(self.peek(1), b'"' | b'\\' | b'$' | b'`') => {
                    word.push(self.peek(1));
                    self.at += 2;
                }
                b'$' if self.peek(1) == b'(' => self.nested(word),
                _ => {
                    word.push(byte);
                    self.at += 1;
                }
            }
        }
    }

    /// `$(…)` as it stands, up to its last bracket or the end.
    fn nested(&mut self, word: &mut Vec<u8>) {
        let start = self.at;
        let mut depth = 0u32;
        let mut quote = 0;
        while let Some(&byte) = self.bytes.get(self.at) {
            self.at += 1;
            match byte {
                b'\\' => self.at += 1,
                b'\'' | b'"' if quote == byte => quote = 0,
                b'"' if quote == 0 => quote = byte,
                b'(' if quote == 0 => depth += 1,
                b')' if quote == 0 => {
                    depth -= 1;
                    if depth == 0 {
                        break;
                    }
                }
                _ => {}
            }
        }
        self.at = self.at.min(self.bytes.len());
        word.extend_from_slice(&self.bytes[start..self.at]);
    }

    fn line_end(&self) -> usize {
        self.bytes[self.at..].iter().position(|byte| *byte == b'\n').map_or(self.bytes.len(), |length| self.at + length)
    }

    /// The here-documents of the line that ended.
    fn documents(&mut self) {
        for (index, delimiter, dash) in std::mem::take(&mut self.pending) {
            let start = self.at;
            let mut end = self.bytes.len();
            while self.at < self.bytes.len() {
                let line_end = self.line_end();
                let line = self.script.get(self.at..line_end).unwrap_or_default().trim_end_matches('\r');
                let is_last = if dash { line.trim_start_matches('\t') == delimiter } else { line == delimiter };
                if is_last {
                    end = self.at;
                }
                self.at = (line_end + 1).min(self.bytes.len());
                if is_last {
                    break;
                }
            }
            if let Some(simple) = self.found.get_mut(index) {
                simple.document = Some(self.script.get(start..end).unwrap_or_default().to_owned());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(script: &str) -> String {
        let each = commands(script).into_iter().map(|simple| {
            let words: Vec<_> = simple.words.into_iter().map(|(word, _)| word).collect();
            let output = simple.output.map_or(String::new(), |(path, append)| format!(" >{}{path}", if append { ">" } else { "" }));
            format!("{}{output}{}", words.join("_"), simple.document.map_or(String::new(), |text| format!(" <{text:?}")))
        });
        each.collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn a_script_is_cut_into_commands() {
        for (script, expected) in [
            ("a b && c;d|e & f", "a_b | c | d | e | f"),
            ("grep -n 'a b' \"c \\\"d\\\"\" e\\ f", "grep_-n_a b_c \"d\"_e f"),
            ("x 2>&1 >out 2>/dev/null &>>log y", "x_y >out"),
            ("cat > f <<'EOF'\na\nb\nEOF\nls", "cat >f <\"a\\nb\\n\" | ls"),
            ("cat <<-E >> f\n\tx\n\tE", "cat >>f <\"\\tx\\n\""),
            ("git commit -m \"$(cat <<'EOF'\nmsg (x)\nEOF\n)\" && b", "git_commit_-m_$(cat <<'EOF'\nmsg (x)\nEOF\n) | b"),
            ("a # no; b\nc \\\n d", "a | c_d"),
            ("(cd x; y)", "cd_x | y"),
            ("a <<< b c < d e", "a_c_e"),
            ("'never ended", "never ended"),
            ("\"never $(ended", "never $(ended"),
            ("cat <<EOF\nnever ended", "cat <\"never ended\""),
            ("\\", ""),
            ("ü>é", "ü >é"),
        ] {
            assert_eq!(told(script), expected, "{script}");
        }
        assert!(commands(&"a;".repeat(100_000)).len() <= COMMANDS);
    }
}
