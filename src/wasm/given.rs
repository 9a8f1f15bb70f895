//! Reads what JavaScript hands over, field by field. Believes nothing: what is missing, of another type, or behind a getter that throws is
//! read as empty. By hand and not by serde, which writes a reader for each type: together they were a tenth of the download.

use std::cell::RefCell;

use js_sys::{Array, JsString, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;

thread_local! {
    /// Names of fields as JavaScript has them. Each is made once: a step asks for forty.
    static NAMES: RefCell<Vec<(&'static str, JsString)>> = const { RefCell::new(Vec::new()) };
}

fn in_javascript(name: &'static str) -> JsString {
    NAMES.with_borrow_mut(|names| {
        let known = names.iter().find(|(known, _)| std::ptr::eq(*known, name));
        known.map(|(_, made)| made.clone()).unwrap_or_else(|| {
            let made = JsString::from(name);
            names.push((name, made.clone()));
            made
        })
    })
}

/// A value of JavaScript's: most often an object.
pub struct Given(JsValue);

impl From<JsValue> for Given {
    fn from(value: JsValue) -> Given {
        Given(value)
    }
}

impl Given {
    /// A field; undefined where there is none.
    pub fn field(&self, name: &'static str) -> Given {
        Given(Reflect::get(&self.0, &in_javascript(name)).unwrap_or(JsValue::UNDEFINED))
    }

    /// A field, if there is one.
    pub fn field_if_any(&self, name: &'static str) -> Option<Given> {
        Some(self.field(name)).filter(|Given(value)| !value.is_undefined() && !value.is_null())
    }

    /// The value itself as a text.
    pub fn as_text(&self) -> Option<String> {
        self.0.as_string()
    }

    /// The value itself as a number.
    pub fn as_number(&self) -> Option<f64> {
        self.0.as_f64()
    }

    /// The value itself as bytes.
    pub fn as_bytes(&self) -> Option<Vec<u8>> {
        self.0.dyn_ref::<Uint8Array>().map(Uint8Array::to_vec)
    }

    /// False where there is none.
    pub fn flag(&self, name: &'static str) -> bool {
        self.field(name).0.as_bool().unwrap_or_default()
    }

    /// Not a number where there is none.
    pub fn number(&self, name: &'static str) -> f64 {
        self.field(name).as_number().unwrap_or(f64::NAN)
    }

    /// Zero where there is none.
    pub fn count(&self, name: &'static str) -> u32 {
        self.number(name) as u32
    }

    /// Zero where there is none.
    pub fn index(&self, name: &'static str) -> usize {
        self.count(name) as usize
    }

    /// Empty where there is none.
    pub fn text(&self, name: &'static str) -> String {
        self.text_if_any(name).unwrap_or_default()
    }

    /// A text, if there is one.
    pub fn text_if_any(&self, name: &'static str) -> Option<String> {
        self.field(name).as_text()
    }

    /// Empty where there are none.
    pub fn bytes(&self, name: &'static str) -> Vec<u8> {
        self.bytes_if_any(name).unwrap_or_default()
    }

    /// Bytes, if there are any.
    pub fn bytes_if_any(&self, name: &'static str) -> Option<Vec<u8>> {
        self.field(name).as_bytes()
    }

    /// What can be read of a list; nothing where there is none.
    pub fn list<T>(&self, name: &'static str, read: impl FnMut(Given) -> Option<T>) -> Vec<T> {
        let Given(list) = self.field(name);
        if Array::is_array(&list) { list.unchecked_into::<Array>().iter().map(Given).filter_map(read).collect() } else { Vec::new() }
    }
}
