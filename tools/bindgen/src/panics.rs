//! Takes the words out of panics: in a release nobody prints them, and what puts them together is a tenth of the engine's code.
//! Not the panics: each still traps, as `unreachable`, and the glue throws the instance away as before.

use walrus::{FunctionBuilder, FunctionId, FunctionKind, Module};

/// Functions of `core`, `alloc` and `std` that never return but panic, by what their names hold.
const PANICS: [&str; 11] = [
    "::panicking::",
    "::option::expect_failed",
    "::option::unwrap_failed",
    "::result::unwrap_failed",
    "::slice_index_fail",
    "::slice_error_fail",
    "::raw_vec::capacity_overflow",
    "::fmt::builders::",
    "::fmt::Debug>::fmt",
    "assert_failed",
    "::copy_from_slice_impl::len_mismatch_fail",
];

/// Lets every function that panics trap at once.
pub fn silence(module: &mut Module) -> Result<(), String> {
    let panics: Vec<FunctionId> = module
        .funcs
        .iter_local()
        .filter(|(id, _)| module.funcs.get(*id).name.as_deref().is_some_and(|name| PANICS.iter().any(|panic| name.contains(panic))))
        .map(|(id, _)| id)
        .collect();
    // Were names written in another way, all of it would come back unseen.
    if panics.len() < PANICS.len() {
        return Err(format!("expected functions that panic, found {}", panics.len()));
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
