//! What calls do, whatever a harness names its tools. Not how that is read from a call (see `call`).

use crate::record::plan::PlanChange;

/// What one call does. A call may do several things: a patch of three files, a shell line with two reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Reads a file, or lines of it.
    Read {
        /// The file.
        path: String,
        /// First and last line, when the call names them.
        lines: Option<(u32, u32)>,
    },
    /// Searches in files.
    Search {
        /// What for.
        what: String,
        /// Where; empty when the call does not say.
        path: String,
    },
    /// Lists files.
    List {
        /// Where, or by which pattern.
        path: String,
    },
    /// Writes a whole file.
    Create {
        /// The file.
        path: String,
        /// What it holds now.
        new: String,
    },
    /// Changes a part of a file.
    Edit {
        /// The file.
        path: String,
        /// What was replaced; empty where text was only added.
        old: String,
        /// What stands there now; empty where text was only removed.
        new: String,
    },
    /// Deletes a file.
    Delete {
        /// The file.
        path: String,
    },
    /// Moves or renames a file.
    Move {
        /// From where.
        from: String,
        /// To where.
        to: String,
    },
    /// Runs a command.
    Run {
        /// The command without what only leads to it.
        command: String,
    },
    /// Fetches a page.
    Fetch {
        /// Its address.
        url: String,
    },
    /// Asks a search engine.
    Query {
        /// What for.
        text: String,
    },
    /// Changes the plan.
    Plan(PlanChange),
    /// Hands a task to another agent.
    Delegate {
        /// The task.
        task: String,
    },
    /// Asks the user.
    Ask {
        /// The question.
        question: String,
    },
    /// Waits for something that runs already, or asks how it is.
    Wait,
    /// Anything else.
    Other {
        /// The inputs that say what it is about, in a few words.
        about: String,
    },
}
