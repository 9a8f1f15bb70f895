//! Puts lists in order. All lists of the engine are sorted here, because each kind of list that is sorted by itself brings a sort of its own into
//! the download, up to 5 KB a piece.

use std::cmp::Ordering;

/// Puts items in order by up to three numbers, the lowest key first; equal ones stay as they are.
pub fn sort_by_numbers<T>(items: &mut Vec<T>, key: impl Fn(&T) -> [i64; 3]) {
    let keys: Vec<[i64; 3]> = items.iter().map(key).collect();
    rearrange(items, order_of(keys.len(), &mut |one, other| keys[one].cmp(&keys[other])));
}

/// Puts named items in order by their names; equal ones stay as they are.
pub fn sort_by_names<N: Ord, T>(items: &mut Vec<(N, T)>) {
    if !items.is_sorted_by(|(one, _), (other, _)| one <= other) {
        let order = order_of(items.len(), &mut |one, other| items[one].0.cmp(&items[other].0));
        rearrange(items, order);
    }
}

/// The places of so many items in their order.
fn order_of(count: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_unstable_by(|one, other| compare(*one, *other).then(one.cmp(other)));
    order
}

fn rearrange<T>(items: &mut Vec<T>, order: Vec<usize>) {
    let mut slots: Vec<Option<T>> = items.drain(..).map(Some).collect();
    items.extend(order.into_iter().filter_map(|at| slots.get_mut(at).and_then(Option::take)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_in_order_and_equal_ones_stay_as_they_were() {
        let mut items = vec![("b", 2), ("a", 1), ("c", 2), ("d", -7)];
        sort_by_numbers(&mut items, |(_, number)| [*number, 0, 0]);
        assert_eq!(items.iter().map(|(name, _)| *name).collect::<String>(), "dabc");
        sort_by_names(&mut items);
        assert_eq!(items.iter().map(|(name, _)| *name).collect::<String>(), "abcd");
    }
}
