//! Reads options out of the object a user wrote; serde knows no functions, signals or tokenizers. What is allowed stands in `settings`.

use js_sys::{Array, Object};
use wasm_bindgen::prelude::*;

use super::failed;
use crate::settings::{OptionValue, Options};

/// Checks options and packs them, to be handed back at every step. Throws `{ code, message }`.
#[wasm_bindgen(js_name = checkOptions)]
pub fn check_options(options: &JsValue) -> Result<Vec<u8>, JsValue> {
    let entries = if options.is_object() { Object::entries(options.unchecked_ref::<Object>()) } else { Array::new() };
    let given: Vec<(String, OptionValue)> = entries
        .iter()
        .map(|entry| Array::from(&entry))
        .filter(|pair| !pair.get(1).is_undefined())
        .map(|pair| (pair.get(0).as_string().unwrap_or_default(), option_value(&pair.get(1))))
        .collect();
    let options = Options::check(&given).map_err(|error| failed(error.code().name(), error.to_string()))?;
    Ok(options.to_bytes())
}

/// The members of an object of numbers that is not empty.
fn numbers_of(value: &JsValue) -> Option<Vec<(String, f64)>> {
    let members = Object::entries(value.unchecked_ref::<Object>());
    let pairs = members.iter().map(|member| Array::from(&member)).filter(|pair| !pair.get(1).is_undefined());
    let numbers: Option<Vec<_>> = pairs.map(|pair| Some((pair.get(0).as_string()?, pair.get(1).as_f64()?))).collect();
    numbers.filter(|numbers| !numbers.is_empty())
}

/// How deep the members of an object are read: what the user says of each tool. An object may hold itself.
const MEMBER_LEVELS: u32 = 2;

/// The members of any other object.
fn members_of(value: &JsValue, levels: u32) -> Vec<(String, OptionValue)> {
    let members = Object::entries(value.unchecked_ref::<Object>());
    let pairs = members.iter().map(|member| Array::from(&member)).filter(|pair| !pair.get(1).is_undefined());
    pairs.map(|pair| (pair.get(0).as_string().unwrap_or_default(), value_within(&pair.get(1), levels))).collect()
}

fn option_value(value: &JsValue) -> OptionValue {
    value_within(value, MEMBER_LEVELS)
}

fn value_within(value: &JsValue, levels: u32) -> OptionValue {
    if let Some(number) = value.as_f64() {
        return OptionValue::Number(number);
    }
    if let Some(flag) = value.as_bool() {
        return OptionValue::Flag(flag);
    }
    if let Some(text) = value.as_string() {
        return OptionValue::Text(text);
    }
    if value.is_function() {
        return OptionValue::Function;
    }
    if Array::is_array(value) {
        return OptionValue::Other("an array".into());
    }
    if value.is_object() {
        let is_signal = js_sys::Reflect::get(value, &"aborted".into()).is_ok_and(|aborted| aborted.as_bool().is_some());
        let generates = || js_sys::Reflect::get(value, &"doGenerate".into()).is_ok_and(|generate| generate.is_function());
        let counts = || js_sys::Reflect::get(value, &"count".into()).is_ok_and(|count| count.is_function());
        let member = |name: &str| js_sys::Reflect::get(value, &name.into()).unwrap_or(JsValue::UNDEFINED);
        let exists = member("exists");
        let writes = || member("write").is_function() && (exists.is_undefined() || exists.is_function());
        let directory = || Some(member("directory")).filter(|directory| !directory.is_undefined());
        return match numbers_of(value) {
            _ if counts() => OptionValue::Tokenizer,
            _ if writes() => OptionValue::Offload(directory().map(|directory| Box::new(option_value(&directory)))),
            _ if generates() => {
                let text = |name: &str| member(name).as_string().unwrap_or_default();
                OptionValue::Model(text("modelId"), text("provider"))
            }
            Some(numbers) => match numbers.as_slice() {
                [(name, tokens)] if name == "tokens" => OptionValue::Tokens(*tokens),
                _ => OptionValue::Numbers(numbers),
            },
            None if is_signal => OptionValue::Object,
            None if levels > 0 => OptionValue::Members(members_of(value, levels - 1)),
            None => OptionValue::Other("another object".into()),
        };
    }
    OptionValue::Other(if value.is_null() {
        "null".into()
    } else {
        format!("of type {}", value.js_typeof().as_string().unwrap_or_default())
    })
}
