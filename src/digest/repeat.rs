//! Whether two calls of one tool, each in a line, say the same: an act that was made again, a reading that failed and then did not.

use crate::text::term::each_term;

/// Whether a later act says all that an earlier one said, its ids, dates and other names with most of its words, or where it has no names, all of
/// its words. Less than that may be another order, seat or letter, and so may be what was left out of a long one.
pub fn repeats(call: &str, later: &str) -> bool {
    if call.contains('…') || later.contains('…') {
        return call == later;
    }
    match said(call) {
        (names, words) if names.is_empty() => !words.is_empty() && shared(&words, later) == words.len(),
        _ => says_again(call, later),
    }
}

/// Whether a later call has all names of an earlier one, and most of its words: it may have been corrected.
pub fn says_again(call: &str, later: &str) -> bool {
    let (names, words) = said(call);
    shared(&names, later) == names.len() && (words.is_empty() || shared(&words, later) * 2 > words.len())
}

fn shared(terms: &[u64], later: &str) -> usize {
    let (names, words) = said(later);
    terms.iter().filter(|term| names.contains(term) || words.contains(term)).count()
}

/// The names and the words of the arguments of a call. Not what they are called, which all calls of a tool share.
fn said(call: &str) -> (Vec<u64>, Vec<u64>) {
    let (mut names, mut words) = (Vec::new(), Vec::new());
    let arguments = call.split_once('(').map_or("", |(_, arguments)| arguments);
    for value in arguments.split(", ").map(|argument| argument.split_once(": ").map_or(argument, |(_, value)| value)) {
        for word in value.split_whitespace() {
            let mut terms = Vec::new();
            each_term(word, &mut |term, kind| terms.push((term, kind)));
            // The words of a name are no more than the name.
            match terms.iter().any(|(_, kind)| kind.is_of_row()) {
                true => names.extend(terms.iter().filter(|(_, kind)| kind.is_of_row()).map(|(term, _)| *term)),
                false => words.extend(terms.iter().map(|(term, _)| *term)),
            }
        }
    }
    (names, words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_seat_of_the_same_train_is_another_act_whatever_its_arguments_are_called() {
        for (call, later, is_repeated) in [
            ("changeSeats(trainNo: HD7, seat: E-70442)", "changeSeats(trainNo: HD7, seat: E-70443)", false),
            ("changeSeats(trainNo: HD7, seat: E-70442)", "changeSeats(trainNo: HD7, seat: E-70442, window: true)", true),
            ("ferienhaus_buchen(haus: Seeblick)", "ferienhaus_buchen(haus: Bergblick)", false),
            ("予約(部屋: 和室)", "予約(部屋: 和室)", true),
            ("pay()", "pay()", false),
            // Another letter to the same person, and an order whose number was corrected.
            ("send(subject: Offer, to: a.b@c.test)", "send(subject: Invoice, to: a.b@c.test)", false),
            ("send(subject: Offer, to: a.b@c.test)", "send(subject: Offer, to: a.b@c.test)", true),
            ("order(qty: 60, sku: LP-331)", "order(qty: 50, sku: LP-331)", true),
            ("edit(path: a.ts, old: let a… = 1)", "edit(path: a.ts, old: let b… = 2)", false),
            ("edit(path: a.ts, old: let a… = 1)", "edit(path: a.ts, old: let a… = 1)", true),
        ] {
            assert_eq!(repeats(call, later), is_repeated, "{call} {later}");
        }
    }
}
