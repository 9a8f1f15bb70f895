//! Puts lists in order by up to three numbers. Most lists of the engine are sorted here, because each kind of list that is sorted by itself
//! brings a sort of its own into the download, up to 5 KB a piece; what is in order by a text is not.

/// Puts items in order, the lowest key first; equal ones stay as they are.
pub fn sort_by_numbers<T>(items: &mut Vec<T>, key: impl Fn(&T) -> [i64; 3]) {
    let mut keys: Vec<([i64; 3], usize)> = items.iter().enumerate().map(|(at, item)| (key(item), at)).collect();
    keys.sort_unstable();
    let mut slots: Vec<Option<T>> = items.drain(..).map(Some).collect();
    items.extend(keys.into_iter().filter_map(|(_, at)| slots.get_mut(at).and_then(Option::take)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_in_order_and_equal_ones_stay_as_they_were() {
        let mut items = vec![("b", 2), ("a", 1), ("c", 2), ("d", -7)];
        sort_by_numbers(&mut items, |(_, number)| [*number, 0, 0]);
        assert_eq!(items.iter().map(|(name, _)| *name).collect::<String>(), "dabc");
    }
}
