//! Sorts characters outside ASCII into the scripts whose tokens the estimator weighs apart.
//! Coarse on purpose: a block stands for its script, and rare blocks share one.

/// Combining marks.
pub(crate) const COMBINING: usize = 4;

/// How a script takes part in pieces.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A letter which may stand among `a` to `z`.
    Latin,
    /// A letter of another script.
    Letter,
    /// A symbol, punctuation or an emoji.
    Symbol,
    /// A blank.
    Blank,
}

/// How many scripts there are.
pub(crate) const SCRIPTS: usize = 56;

/// How script `script` takes part in pieces.
pub(crate) fn kind_of(script: usize) -> Kind {
    match script {
        0..=5 => Kind::Latin,
        31..=50 => Kind::Symbol,
        51 | 52 => Kind::Blank,
        _ => Kind::Letter,
    }
}

/// The script of a code point; a number below [`SCRIPTS`].
pub(crate) fn script_of(code: u32) -> usize {
    match code {
        // Control characters are symbols to the estimator, as they are to the pieces of `o200k_base`.
        0..=0x9f => 31,
        0xa0 => 51,
        0xaa | 0xb5 | 0xba | 0x180..=0x24f => 2,
        0xa1..=0xbf | 0xd7 | 0xf7 => 32,
        0xc0..=0xff => 0,
        0x100..=0x17f => 1,
        0x250..=0x2ff => 3,
        0x300..=0x36f => 4,
        0x370..=0x3ff | 0x1f00..=0x1fff => 6,
        0x400..=0x52f => 7,
        0x530..=0x58f => 8,
        0x590..=0x5ff => 9,
        0x60c | 0x61b | 0x61f | 0x6d4 => 33,
        0x600..=0x6ff | 0x750..=0x77f | 0x8a0..=0x8ff | 0xfb50..=0xfdff | 0xfe70..=0xfefe => 10,
        0x700..=0x8ff => 11,
        0x964 | 0x965 => 34,
        0x900..=0x97f => 12,
        0x980..=0x9ff => 13,
        // Neighbors in Unicode, and merged quite differently: Gurmukhi and Gujarati, Malayalam and Sinhala, Lao and Burmese.
        0xa00..=0xa7f => 14,
        0xa80..=0xaff => 53,
        0xb00..=0xbff => 15,
        0xc00..=0xcff => 16,
        0xd00..=0xd7f => 17,
        0xd80..=0xdff => 54,
        0xe00..=0xe7f => 18,
        0xe80..=0xfff => 19,
        0x1000..=0x109f => 55,
        0x10a0..=0x10ff => 20,
        0x1100..=0x11ff | 0x3130..=0x318f | 0xac00..=0xd7ff => 21,
        0x1780..=0x17ff => 22,
        0x1e00..=0x1eff => 5,
        0x1200..=0x1dff => 11,
        0x2000..=0x200a | 0x2028 | 0x2029 | 0x202f | 0x205f | 0x3000 => 52,
        0x200b..=0x206f => 35,
        0x2070..=0x218f => 36,
        0x2190..=0x22ff => 37,
        0x2300..=0x24ff => 38,
        0x2500..=0x259f => 39,
        0x25a0..=0x27bf => 40,
        0x2800..=0x28ff => 41,
        0x27c0..=0x2fff => 42,
        0x30fb | 0x3001..=0x3004 | 0x3008..=0x303f => 43,
        0x3005..=0x3007 | 0x4e00..=0x9fff => 25,
        0x3040..=0x309f => 23,
        0x30a0..=0x30ff | 0x31f0..=0x31ff | 0xff66..=0xff9f => 24,
        0x3100..=0x4dff | 0xf900..=0xfaff => 26,
        0xff21..=0xff3a | 0xff41..=0xff5a => 27,
        0xff00..=0xffef => 44,
        0xfe00..=0xfe4f | 0xfeff => 45,
        0xe000..=0xf8ff => 46,
        0xa000..=0xffff => 28,
        0x1f3fb..=0x1f3ff => 47,
        0x1f1e6..=0x1f1ff => 48,
        0x1f300..=0x1f64f => 49,
        0x1f000..=0x1fbff => 50,
        0x20000..=0x3ffff => 29,
        0x10000..=0x1efff => 30,
        _ => 46,
    }
}

/// The small letter of a Cyrillic or Greek capital; any other code point as it is.
pub(crate) fn fold(code: u32) -> u32 {
    match code {
        0x391..=0x3a9 | 0x410..=0x42f => code + 32,
        0x400..=0x40f => code + 80,
        _ => code,
    }
}
