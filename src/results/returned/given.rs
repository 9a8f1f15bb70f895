//! What a call was given: its values, each with its name. What its answer repeats of them is no news. Not the line in which a call is written.

use crate::json::{Value, letters_of_name};
use crate::text::clip::first_chars;
use crate::text::term::{has_reference, references};

/// Shorter values may stand in a call by chance.
const LEAST_REPEATED_BYTES: usize = 3;
/// Values that are kept of a call, and so much of each: what is longer is a text.
const VALUES: usize = 40;
const VALUE_CHARS: usize = 200;

/// The values that a call was given; none of no call.
#[derive(Debug, Default)]
pub struct Given {
    /// Those that have a name of their own, with its letters.
    values: Vec<(String, String)>,
    /// Those in lists and objects: an answer that has one may be about another one of them.
    inner: Vec<String>,
}

impl Given {
    /// Those of the input of a call.
    pub fn of(input: &Value<'_>) -> Given {
        let mut given = Given::default();
        match input {
            Value::Map(members) => members.iter().for_each(|(name, value)| match value {
                Value::Map(_) | Value::List(_) => given.collect(value),
                scalar => given.values.push((letters_of_name(name).collect(), text_of(scalar))),
            }),
            other => given.collect(other),
        }
        given.values.truncate(VALUES);
        given
    }

    fn collect(&mut self, value: &Value<'_>) {
        match value {
            Value::Map(_) | Value::List(_) => value.children().into_iter().for_each(|inner| self.collect(inner)),
            scalar if self.inner.len() < VALUES => self.inner.push(text_of(scalar)),
            _ => {}
        }
    }

    /// Whether the call has this value under this name. A single one says of what the answer is, whatever it is called there.
    pub(super) fn has(&self, name: &str, text: &str) -> bool {
        match self.values.as_slice() {
            [_] => self.says(text),
            values => values.iter().any(|(own, value)| value == text && letters_of_name(name).eq(own.chars())),
        }
    }

    /// Whether the call has this value under any name.
    pub(super) fn says(&self, text: &str) -> bool {
        text.len() >= LEAST_REPEATED_BYTES && self.values.iter().any(|(_, value)| value == text)
    }

    /// Whether the call names what has this reference.
    pub fn names(&self, reference: &str) -> bool {
        self.texts().any(|text| has_reference(text, reference))
    }

    /// The words of its values that may name one thing among many.
    pub fn references(&self) -> impl Iterator<Item = &str> {
        self.texts().flat_map(references)
    }

    fn texts(&self) -> impl Iterator<Item = &str> {
        self.values.iter().map(|(_, value)| value).chain(&self.inner).map(String::as_str)
    }
}

fn text_of(scalar: &Value<'_>) -> String {
    first_chars(scalar.scalar_text().trim(), VALUE_CHARS).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(input: &str) -> Given {
        Value::parse(input).as_ref().map_or_else(Given::default, Given::of)
    }

    #[test]
    fn a_call_has_a_value_under_its_name_however_it_is_written_and_a_single_one_under_any() {
        let order = given(r#"{"order_id":"ORD-7, part 2","amount":20,"of":{"payment":"P-771"}}"#);
        assert!(order.has("orderId", "ORD-7, part 2") && !order.has("id", "ORD-7, part 2") && order.says("ORD-7, part 2"));
        assert!(order.has("amount", "20") && !order.says("20"), "it may be there by chance");
        assert!(!order.says("P-771") && order.names("P-771") && !order.names("P-77"), "one of an object may be one of many");
        assert!(given(r#"{"orderId":"ORD-7"}"#).has("id", "ORD-7") && !Given::default().says("ORD-7"));
    }
}
