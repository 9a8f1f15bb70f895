//! How a result can be had again that is not shown, in words: for placeholders and cuts. A call that changed something is never offered.
//! Which way there is, is decided where the result leaves (`plan::draft::ways`).

/// The way back to a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Back<'a> {
    /// Calling the tool again: it only reads.
    Call,
    /// The same, if the tool only looks things up.
    CallIfReads,
    /// None: the call changed something.
    Nothing,
    /// Recalling it by this id.
    Recall(u64),
    /// Reading the file of this id.
    File {
        /// Where it is.
        directory: &'a str,
        /// Its name.
        id: u64,
    },
}

impl Back<'_> {
    /// The way, as the end of a sentence; empty where there is none.
    pub fn words(&self) -> String {
        match self {
            Back::Call => "; call the tool again if you need it".to_owned(),
            Back::CallIfReads => "; if the tool only reads, call it again".to_owned(),
            Back::Nothing => String::new(),
            Back::Recall(id) => format!("; use the recall tool with id {id} if you need it"),
            Back::File { directory, id } => format!("; its text is in {directory}/{} if you need it", result_file(*id)),
        }
    }

    /// The way to what was cut out of a result, as the end of a sentence. The same call again would be as large.
    pub fn words_for_the_rest(&self) -> String {
        match self {
            Back::Call => "; ask the tool for a part of it if you need more".to_owned(),
            Back::CallIfReads => "; if the tool only looks things up, ask it for a part of this".to_owned(),
            Back::Nothing | Back::Recall(_) | Back::File { .. } => self.words(),
        }
    }
}

/// The name of the file that holds a result.
pub fn result_file(id: u64) -> String {
    format!("{id}.txt")
}
