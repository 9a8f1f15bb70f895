//! What a shell line does: the files it reads and writes, what it searches, and the command that is left.
//! No shell: what it cannot tell stays a command.

use crate::record::action::Action;

/// What a script of a shell does.
pub fn read_script(script: &str) -> Vec<Action> {
    vec![Action::Run { command: script.to_owned() }]
}
