//! Parts of a text, texts put together, and where one text stands in another. Never panics: a place outside of the text reads as empty.
//! In place of what std offers, whose searcher and panic messages cost the download 3 KB.

/// What stands between two places.
pub fn part(text: &str, start: usize, end: usize) -> &str {
    text.get(start..end).unwrap_or_default()
}

/// Texts one behind the other, with `between` between them. One for all, because each kind of iterator that is collected and joined
/// would cost the download 100 bytes.
#[inline(never)]
pub fn joined(next: &mut dyn FnMut() -> Option<String>, between: &str) -> String {
    let mut all = next().unwrap_or_default();
    while let Some(text) = next() {
        all.push_str(between);
        all.push_str(&text);
    }
    all
}

/// These texts one behind the other, with `between` between them.
pub fn joined_all(texts: &[String], between: &str) -> String {
    let mut all = String::new();
    for (index, text) in texts.iter().enumerate() {
        all.push_str(if index > 0 { between } else { "" });
        all.push_str(text);
    }
    all
}

/// The first line and what stands behind its end; `None` without an end.
pub fn split_line(text: &str) -> Option<(&str, &str)> {
    let end = text.as_bytes().iter().position(|byte| *byte == b'\n')?;
    Some((part(text, 0, end), part(text, end + 1, text.len())))
}

/// Where `needle` first stands in `text`. For short texts: takes time in proportion to both lengths.
#[inline(never)]
pub fn place_of(text: &str, needle: &str) -> Option<usize> {
    (0..=text.len()).find(|at| text.as_bytes().get(*at..).is_some_and(|rest| rest.starts_with(needle.as_bytes())))
}

/// What stands before and after the first `needle`.
pub fn around<'a>(text: &'a str, needle: &str) -> Option<(&'a str, &'a str)> {
    let at = place_of(text, needle)?;
    Some((part(text, 0, at), part(text, at + needle.len(), text.len())))
}
