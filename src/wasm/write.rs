//! Writes what the engine answers as JSON text, which JavaScript parses: less code than making objects field by field.
//! Not a general serializer: it knows the shapes that answers, events and edits have today. An answer of any other shape (a float, a
//! negative number, a map) is null as a whole, so a new shape needs its method here.

use std::fmt::{self, Display};

use serde::ser::{Error, Impossible, Serialize, SerializeSeq, SerializeStruct, SerializeTuple, Serializer};
use wasm_bindgen::JsValue;

use crate::json::Value;

/// A value as JavaScript sees it, to be thrown.
pub fn to_js<T: Serialize>(value: &T) -> JsValue {
    js_sys::JSON::parse(&to_json(value)).unwrap_or(JsValue::UNDEFINED)
}

/// The JSON text of a value.
pub fn to_json<T: Serialize>(value: &T) -> String {
    let mut writer = Writer { text: String::new() };
    match value.serialize(&mut writer) {
        Ok(()) => writer.text,
        Err(Unknown) => "null".to_owned(),
    }
}

/// A shape that no answer has.
#[derive(Debug)]
pub struct Unknown;

impl Display for Unknown {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

impl std::error::Error for Unknown {}

impl Error for Unknown {
    fn custom<T: Display>(_: T) -> Self {
        Unknown
    }
}

struct Writer {
    text: String,
}

impl Writer {
    fn number(&mut self, number: u64) -> Result<(), Unknown> {
        self.text.push_str(&number.to_string());
        Ok(())
    }

    fn quoted(&mut self, text: &str) -> Result<(), Unknown> {
        Value::Text(text.into()).write(&mut self.text);
        Ok(())
    }

    /// Opens a list or object.
    fn opened(&mut self, open: char, close: char) -> Result<Items<'_>, Unknown> {
        self.text.push(open);
        Ok(Items { writer: self, is_first: true, close })
    }
}

/// A list or object that is being written.
struct Items<'w> {
    writer: &'w mut Writer,
    is_first: bool,
    close: char,
}

impl Items<'_> {
    #[inline(never)]
    fn separate(&mut self) {
        if !self.is_first {
            self.writer.text.push(',');
        }
        self.is_first = false;
    }

    #[inline(never)]
    fn close(self) -> Result<(), Unknown> {
        self.writer.text.push(self.close);
        Ok(())
    }

    #[inline(never)]
    fn name(&mut self, key: &'static str) {
        self.separate();
        self.writer.text.push('"');
        self.writer.text.push_str(key);
        self.writer.text.push_str("\":");
    }
}

impl SerializeSeq for Items<'_> {
    type Ok = ();
    type Error = Unknown;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unknown> {
        self.separate();
        value.serialize(&mut *self.writer)
    }

    fn end(self) -> Result<(), Unknown> {
        self.close()
    }
}

impl SerializeTuple for Items<'_> {
    type Ok = ();
    type Error = Unknown;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unknown> {
        SerializeSeq::serialize_element(self, value)
    }

    fn end(self) -> Result<(), Unknown> {
        self.close()
    }
}

impl SerializeStruct for Items<'_> {
    type Ok = ();
    type Error = Unknown;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Unknown> {
        self.name(key);
        value.serialize(&mut *self.writer)
    }

    fn end(self) -> Result<(), Unknown> {
        self.close()
    }
}

/// Methods for shapes that no answer has.
macro_rules! unknown {
    ($($method:ident($($of:ty),*) -> $shape:ty;)*) => {
        $(fn $method(self $(, _: $of)*) -> Result<$shape, Unknown> {
            Err(Unknown)
        })*
    };
}

impl<'w> Serializer for &'w mut Writer {
    type Ok = ();
    type Error = Unknown;
    type SerializeSeq = Items<'w>;
    type SerializeTuple = Items<'w>;
    type SerializeTupleStruct = Impossible<(), Unknown>;
    type SerializeTupleVariant = Impossible<(), Unknown>;
    type SerializeMap = Impossible<(), Unknown>;
    type SerializeStruct = Items<'w>;
    type SerializeStructVariant = Impossible<(), Unknown>;

    fn serialize_bool(self, value: bool) -> Result<(), Unknown> {
        self.text.push_str(if value { "true" } else { "false" });
        Ok(())
    }

    fn serialize_u32(self, value: u32) -> Result<(), Unknown> {
        self.number(value.into())
    }

    fn serialize_u64(self, value: u64) -> Result<(), Unknown> {
        self.number(value)
    }

    fn serialize_str(self, value: &str) -> Result<(), Unknown> {
        self.quoted(value)
    }

    fn serialize_none(self) -> Result<(), Unknown> {
        self.text.push_str("null");
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Unknown> {
        value.serialize(self)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Unknown> {
        self.quoted(variant)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Items<'w>, Unknown> {
        self.opened('[', ']')
    }

    fn serialize_tuple(self, _: usize) -> Result<Items<'w>, Unknown> {
        self.opened('[', ']')
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Items<'w>, Unknown> {
        self.opened('{', '}')
    }

    unknown! {
        serialize_i8(i8) -> ();
        serialize_i16(i16) -> ();
        serialize_i32(i32) -> ();
        serialize_i64(i64) -> ();
        serialize_u8(u8) -> ();
        serialize_u16(u16) -> ();
        serialize_f32(f32) -> ();
        serialize_f64(f64) -> ();
        serialize_char(char) -> ();
        serialize_bytes(&[u8]) -> ();
        serialize_unit() -> ();
        serialize_unit_struct(&'static str) -> ();
        serialize_tuple_struct(&'static str, usize) -> Impossible<(), Unknown>;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Impossible<(), Unknown>;
        serialize_map(Option<usize>) -> Impossible<(), Unknown>;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Impossible<(), Unknown>;
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, _: &T) -> Result<(), Unknown> {
        Err(Unknown)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(self, _: &'static str, _: u32, _: &'static str, _: &T) -> Result<(), Unknown> {
        Err(Unknown)
    }
}
