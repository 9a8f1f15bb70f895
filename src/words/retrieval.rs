//! How a result can be retrieved that is not shown, in words: for placeholders and cuts. A call that changed something is never offered.
//! Which of them holds is decided where the result is cleared or cut (`plan::draft::retrieval`).

/// How a result can be retrieved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetrievalHint<'a> {
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

impl RetrievalHint<'_> {
    /// The hint, as the end of a sentence; empty where the result cannot be had again.
    pub fn words(&self) -> String {
        match self {
            RetrievalHint::Call => "; call the tool again if you need it".to_owned(),
            RetrievalHint::CallIfReads => "; call it again if that changes nothing".to_owned(),
            RetrievalHint::Nothing => String::new(),
            RetrievalHint::Recall(id) => format!("; use the recall tool with id {id} if you need it"),
            RetrievalHint::File { directory, id } => format!("; its text is in {directory}/{} if you need it", result_file(*id)),
        }
    }

    /// The hint for what was cut out of a result, as the end of a sentence. The same call again would be as large.
    pub fn words_for_the_rest(&self) -> String {
        match self {
            RetrievalHint::Call => "; ask the tool for a part of it if you need more".to_owned(),
            RetrievalHint::CallIfReads => "; if the tool only looks things up, ask it for a part of this".to_owned(),
            RetrievalHint::Nothing | RetrievalHint::Recall(_) | RetrievalHint::File { .. } => self.words(),
        }
    }
}

/// The name of the file that holds a result.
pub fn result_file(id: u64) -> String {
    format!("{id}.txt")
}
