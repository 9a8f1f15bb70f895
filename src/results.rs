//! What a result of a tool says: the values of any form (`pairs`), which of them every result of an app carries (`envelope`), and the line they
//! make (`returned`). Not which results are kept, nor where the line stands.

pub mod envelope;
pub mod pairs;
pub mod returned;
