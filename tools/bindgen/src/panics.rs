//! Takes the words out of panics: in a release nobody prints them, and they and what puts them together are 3 KB of the download.
//! Not the panics: each still traps, as `unreachable`, and the glue throws the instance away as before.

use walrus::ir::Value;
use walrus::{ConstExpr, Data, DataId, DataKind, FunctionBuilder, FunctionId, FunctionKind, Module};

/// Functions of `core`, `alloc` and `std` that never return but panic, and those that only panics write with or that pad texts
/// (`tests/tidy.rs` sees to it that the engine does neither), by what their names hold.
const PANICS: [&str; 10] = [
    "::str::count::do_count_chars",
    "::panicking::",
    "::option::unwrap_failed",
    "::result::unwrap_failed",
    "::slice_index_fail",
    "::raw_vec::capacity_overflow",
    "::fmt::builders::",
    "::fmt::Debug>::fmt",
    "assert_failed",
    "::copy_from_slice_impl::len_mismatch_fail",
];

/// Lets every function that panics trap at once, and forgets where panics come from.
pub fn silence(module: &mut Module) -> Result<(), String> {
    let all: Vec<DataId> = module.data.iter().map(Data::id).collect();
    let places: usize = all.into_iter().map(|id| forget_places(module.data.get_mut(id))).sum();
    if places == 0 {
        return Err("expected places of panics, found none".into());
    }
    let mut panics: Vec<FunctionId> = Vec::new();
    for name in PANICS {
        let known = panics.len();
        let named = |id: &FunctionId| module.funcs.get(*id).name.as_deref().is_some_and(|full| full.contains(name));
        panics.extend(module.funcs.iter_local().map(|(id, _)| id).filter(named));
        // Were names written in another way, all of it would come back unseen.
        if panics.len() == known {
            return Err(format!("expected functions named `{name}`, found none"));
        }
    }
    for id in panics {
        let (parameters, results) = module.types.params_results(module.funcs.get(id).ty());
        let (parameters, results) = (parameters.to_vec(), results.to_vec());
        let arguments = parameters.iter().map(|kind| module.locals.add(*kind)).collect();
        let mut trap = FunctionBuilder::new(&mut module.types, &parameters, &results);
        trap.func_body().unreachable();
        module.funcs.get_mut(id).kind = FunctionKind::Local(trap.local_func(arguments));
    }
    Ok(())
}

/// Writes zeros over each `core::panic::Location` (a file's name and its length, line, column: four numbers) and over the names.
/// Returns how many there were. Only what panics reads them.
fn forget_places(data: &mut Data) -> usize {
    let DataKind::Active { offset: ConstExpr::Value(Value::I32(offset)), .. } = data.kind else { return 0 };
    let bytes = &mut data.value;
    let mut names = Vec::new();
    let mut places = 0;
    for at in (0..bytes.len().saturating_sub(15)).step_by(4) {
        let number = |index: usize| bytes[at + index * 4..].first_chunk().map_or(0, |four| u32::from_le_bytes(*four) as usize);
        let Some(start) = number(0).checked_sub(offset as usize) else { continue };
        let name = start..start + number(1);
        let is_place = (1..100_000).contains(&number(2)) && (1..1_000).contains(&number(3));
        if is_place && bytes.get(name.clone()).is_some_and(|name| name.ends_with(b".rs") && name.iter().all(u8::is_ascii_graphic)) {
            names.push(name);
            bytes[at..at + 16].fill(0);
            places += 1;
        }
    }
    for name in names {
        bytes[name].fill(0);
    }
    places
}
