//! Gives what module and glue call each other by names of one or two letters: the hashes in the generated names are
//! bytes of the download that do not compress. Not the engine's own functions, whose names tests and stack traces show, nor
//! the declared type of the instance (`InitOutput`), which nobody uses.

use walrus::Module;

use crate::replace_once;

/// The module all imports come from, as the generator names it.
const MODULE: &str = "./engine_bg.js";
const SHORT_MODULE: &str = "a";

/// The glue with short names; those of `module` are changed in place. Exports that the glue does not use are removed.
pub fn shorten(mut glue: String, module: &mut Module) -> Result<String, String> {
    glue = replace_once(&glue, &format!("\"{MODULE}\": "), &format!("\"{SHORT_MODULE}\": "))?;
    for (index, import) in module.imports.iter_mut().enumerate() {
        if import.module != MODULE {
            return Err(format!("expected all imports from {MODULE}, found one from {}", import.module));
        }
        let short = short_name(index);
        glue = replace_once(&glue, &format!("        {}: function(", import.name), &format!("        {short}: function("))?;
        (import.module, import.name) = (SHORT_MODULE.into(), short);
    }
    let mut unused = Vec::new();
    for (index, export) in module.exports.iter_mut().filter(|export| export.name.starts_with("__")).enumerate() {
        let short = short_name(index);
        let renamed = replace_word(&glue, &format!("wasm.{}", export.name), &format!("wasm.{short}"));
        if renamed == glue {
            unused.push(export.id());
        }
        (glue, export.name) = (renamed, short);
    }
    for export in unused {
        module.exports.delete(export);
    }
    Ok(glue)
}

/// Replaces a text wherever no letter, digit or underscore follows it.
fn replace_word(text: &str, word: &str, instead: &str) -> String {
    let mut parts = text.split(word);
    let mut replaced = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_longer = part.starts_with(|next: char| next.is_alphanumeric() || next == '_');
        replaced += if is_longer { word } else { instead };
        replaced += part;
    }
    replaced
}

/// `a` to `z`, then `aa`, `ba` and so on.
fn short_name(index: usize) -> String {
    let letter = char::from(b'a' + (index % 26) as u8);
    match index / 26 {
        0 => letter.into(),
        more => format!("{letter}{}", short_name(more - 1)),
    }
}
