//! The common size to which large parts are cut so that all together fit: small ones keep all they have, the large ones share the rest.
//! Arithmetic only.

/// The largest level for which the sizes, each at most that level, add up to at most `room`.
pub fn level_that_fits(sizes: &[u32], room: u64) -> u32 {
    let needed = |level: u32| sizes.iter().map(|size| u64::from((*size).min(level))).sum::<u64>();
    let (mut fits, mut exceeds) = (0u32, u32::MAX);
    if needed(exceeds) <= room {
        return exceeds;
    }
    while exceeds - fits > 1 {
        let middle = fits + (exceeds - fits) / 2;
        if needed(middle) <= room {
            fits = middle;
        } else {
            exceeds = middle;
        }
    }
    fits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_sizes_keep_all_they_have_and_large_ones_share_the_rest() {
        for (sizes, room, level) in
            [(&[10, 20, 500, 800][..], 430, 200), (&[10, 20], 30, u32::MAX), (&[10, 20], 29, 19), (&[], 0, u32::MAX), (&[7, 7, 7], 2, 0)]
        {
            assert_eq!(level_that_fits(sizes, room), level, "{sizes:?} in {room}");
        }
    }
}
