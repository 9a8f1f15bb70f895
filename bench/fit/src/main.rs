//! Fits the weights of `src/tokens/estimate` on a corpus and prints how far estimates are off. Not part of the package.
//!
//!   cargo run --release -- corpus.jsonl [--write ../../src/tokens/estimate/coefficients.rs] [--scripts 14,53] [more.jsonl ...]
//!
//! `--scripts` refits only what these scripts weigh (numbers of `scripts.rs` beside it).
//! Documents are split 60 to 40 by package (by document where one package holds many languages): the shipped weights come from
//! the 60, the printed errors from the 40. Files named behind the corpus are only measured.

mod corpus;
#[path = "../../../src/tokens/estimate/mod.rs"]
#[allow(dead_code)]
mod estimate;
mod model;
mod report;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let write_to = arguments.iter().position(|a| a == "--write").map(|at| arguments[at + 1].clone());
    let scripts = arguments.iter().position(|a| a == "--scripts").map(|at| arguments[at + 1].clone());
    let is_value = |a: &String| Some(a) == write_to.as_ref() || Some(a) == scripts.as_ref();
    let files: Vec<&String> = arguments.iter().filter(|a| !a.starts_with("--") && !is_value(a)).collect();
    let encoding = tiktoken_rs::o200k_base().expect("tiktoken-rs ships o200k_base");

    let mut documents = corpus::load(files[0], false);
    let pieces = model::Pieces::collect(documents.iter().filter(|d| !d.held_out), &encoding);
    eprintln!("{} distinct pieces", pieces.len());
    let weights = match scripts {
        Some(scripts) => {
            let numbers: Vec<usize> = scripts.split(',').map(|number| number.parse().expect("numbers of scripts")).collect();
            model::refit_scripts(&pieces, &numbers)
        }
        None => model::fit(&pieces, &encoding),
    };
    if let Some(path) = write_to {
        std::fs::write(path, weights.source()).expect("the coefficients can be written");
    }
    for file in &files[1..] {
        documents.extend(corpus::load(file, true));
    }
    report::print(&documents, &weights, &encoding);
}
