//! A member of a stored type that nothing reads any more. States hold their members by place: it keeps its place until the version is raised.

use std::marker::PhantomData;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What was a `T`: read and forgotten, and written empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Former<T>(PhantomData<T>);

impl<T: Default + Serialize> Serialize for Former<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        T::default().serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Former<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Former<T>, D::Error> {
        T::deserialize(deserializer).map(|_| Former(PhantomData))
    }
}
