//! Every Rust test that sees the engine from outside, in one program: linking the engine once for each file took longer than running them.
//! Unit tests stand beside the code. `cargo test <name>::` runs one file. `tidy.rs` sees that no file is forgotten here.

mod calibration;
mod checkpoints;
mod effects;
mod estimate;
mod fuzz;
mod golden;
mod hand;
mod limits;
mod monotone;
mod overflow;
mod policy;
mod properties;
mod redact;
mod scripts;
mod state;
mod tidy;
