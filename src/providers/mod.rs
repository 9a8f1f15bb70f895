//! Facts about providers: windows and prices of their models, what they demand of signed thoughts, where cache marks go, what they refuse and in which
//! words. Not decisions about a conversation: those are `plan`.

pub mod blocks;
pub mod check;
pub mod hosted;
pub mod limits;
pub(crate) mod limits_table;
pub mod media;
pub mod overflow;
pub mod owner;
pub mod prices;
pub mod refusal;
pub mod reply;
pub mod sending;
pub mod thinking;
