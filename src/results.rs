//! What a result of a tool says: its values or its text (`syntax`), which of them every result of an app carries (`envelope`), and the line they
//! make (`returned`). Not which results are kept, nor where the line stands.

pub mod envelope;
pub mod returned;
pub mod syntax;
