//! Writes the JavaScript glue for the compiled engine. A build step; never part of the package.
//!
//! It stands in for the `wasm-bindgen` command line tool: as a workspace member it is pinned by `Cargo.lock`,
//! needs no global installation and cannot drift away from the `wasm-bindgen` crate.
//! It knows nothing about optimizing, bundling or what the engine does.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use wasm_bindgen_cli_support::{Bindgen, EncodeInto};

/// How the glue asks whether it was handed a compiled module.
const MODULE_TEST: &str = "if (!(module instanceof WebAssembly.Module)) {";

/// What it must ask instead. Next's edge sandbox hands over a module of another realm, for which
/// `instanceof` is false; the glue would try to compile a compiled module and throw.
const BYTES_TEST: &str = "if (module instanceof ArrayBuffer || ArrayBuffer.isView(module)) {";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [input, output_directory] = arguments.as_slice() else {
        return Err("usage: stepfold-bindgen <engine.wasm> <output directory>".into());
    };
    let output_directory = Path::new(output_directory);

    Bindgen::new()
        .input_path(input)
        .out_name("engine")
        .web(true)?
        .typescript(true)
        // Without it the glue holds `import.meta.url`, which breaks CommonJS and several bundlers.
        .omit_default_module_path(true)
        .encode_into(EncodeInto::Always)
        // After a trap the instance cannot be trusted; this exports the function which discards it.
        .reset_state_function(true)
        // By their names functions are put in order when the module is optimized (scripts/build.mjs), and then have none any more.
        .remove_name_section(false)
        .remove_producers_section(true)
        .generate(output_directory)?;

    let glue_path = output_directory.join("engine.js");
    fs::write(&glue_path, replace_once(&fs::read_to_string(&glue_path)?, MODULE_TEST, BYTES_TEST)?)?;
    Ok(())
}

/// Fails where the text does not stand exactly once: then the glue is not what this was written for.
fn replace_once(glue: &str, text: &str, instead: &str) -> Result<String, String> {
    match glue.matches(text).count() {
        1 => Ok(glue.replace(text, instead)),
        times => Err(format!("expected `{text}` once in engine.js, found it {times} times")),
    }
}
