//! JSON part by part and without a tree, for who wants places in it. Lenient with words that are no JSON, but not with where a value ends.

/// A member with its name, or an item.
#[derive(Clone)]
pub struct Part {
    /// Where it begins.
    pub start: usize,
    /// Where its value begins: behind the name of a member.
    pub value: usize,
    /// Where it ends.
    pub end: usize,
}

/// The members or items between the brackets of a value; none of what has no brackets.
pub fn parts(bytes: &[u8], part: &Part) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    if !matches!(bytes.get(part.value), Some(b'{' | b'[')) {
        return Some(parts);
    }
    let mut at = space(bytes, part.value + 1);
    while at < part.end - 1 {
        let start = at;
        let mut value = at;
        if bytes[at] == b'"' {
            let behind = space(bytes, end(bytes, at)?);
            if bytes.get(behind) == Some(&b':') {
                value = space(bytes, behind + 1);
            }
        }
        let end = end(bytes, value)?;
        parts.push(Part { start, value, end });
        at = space(bytes, end);
        match bytes.get(at) {
            Some(b',') => at = space(bytes, at + 1),
            Some(b'}' | b']') => break,
            _ => return None,
        }
    }
    Some(parts)
}

/// The place behind blanks.
pub fn space(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
        at += 1;
    }
    at
}

/// The end of the value at `at`.
pub fn end(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes.get(at)? {
        b'"' => string_end(bytes, at),
        b'{' | b'[' => {
            let (mut open, mut at) = (0usize, at);
            loop {
                match bytes.get(at)? {
                    b'"' => at = string_end(bytes, at)? - 1,
                    b'{' | b'[' => open += 1,
                    b'}' | b']' => open = open.checked_sub(1)?,
                    _ => {}
                }
                at += 1;
                if open == 0 {
                    return Some(at);
                }
            }
        }
        _ => {
            let ends = |byte: &u8| matches!(byte, b',' | b'}' | b']') || byte.is_ascii_whitespace();
            let length = bytes[at..].iter().position(ends).unwrap_or(bytes.len() - at);
            (length > 0).then_some(at + length)
        }
    }
}

fn string_end(bytes: &[u8], at: usize) -> Option<usize> {
    let mut at = at + 1;
    loop {
        match bytes.get(at)? {
            b'\\' => at += 2,
            b'"' => return Some(at + 1),
            _ => at += 1,
        }
    }
}
