//! What tokens cost: by the list of prices, by what the user says, else by the model's family. A plan weighs shares of the price of an input
//! token that no cache holds; only what a request costs is given as money. Not here: what prices lead to (see `optimize` and `plan::preview`).

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::option::number;
use crate::providers::limits::{self, Family};
use crate::providers::limits_table::{PRICED, PRICES};

/// What the vendor asks for a million tokens in US dollars, as far as the catalog knows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ListPrices {
    /// Input that no cache holds.
    pub input: f64,
    /// Output.
    pub output: f64,
    /// Input read from the prompt cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_read: Option<f64>,
    /// Input written into it; where it has no price of its own it costs what all input does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_write: Option<f64>,
    /// The largest prompt that is billed so; a larger one costs more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub up_to_tokens: Option<u32>,
}

/// Parts of a US dollar in which the table states prices.
const UNITS: f64 = 1e5;

/// The prices of the very model that an id names. A relative is not asked: what a model takes changes little from one version to the next,
/// what it costs does.
pub fn list_prices(model_id: &str) -> Option<ListPrices> {
    // Tuned models cost more than their base, which is all that their ids say.
    let is_tuned = model_id.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("ft:"));
    let index = if is_tuned { None } else { limits::read_id(model_id, |tokens| limits::exact_row(PRICED, tokens)) }?;
    let [input, output, read, write, up_to] = *PRICES.get(index)?;
    let price = |units: u32| (units > 0).then(|| f64::from(units) / UNITS);
    Some(ListPrices {
        input: price(input)?,
        output: price(output)?,
        cache_read: price(read),
        cache_write: price(write),
        up_to_tokens: (up_to > 0).then_some(up_to * 1000),
    })
}

/// Prices of one model, as multiples of its price for new input.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prices {
    /// A token read from the prompt cache.
    pub cache_read: f64,
    /// A token written into it.
    pub cache_write: f64,
    /// A token of output.
    pub output: f64,
}

/// What a million tokens of input cost that no cache holds, where it is known what the cache costs too.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct InputPrice {
    /// In US dollars where it is listed, else as the user says.
    per_million: f64,
    /// The largest prompt that is billed so.
    up_to_tokens: Option<u32>,
}

impl InputPrice {
    /// As given, else as listed.
    pub fn new(given: Option<&GivenPrices>, listed: Option<&ListPrices>) -> Option<InputPrice> {
        match (given, listed) {
            (Some(GivenPrices([input, read, ..])), _) => {
                let knows_cache = !read.is_nan() || listed.is_some_and(|listed| listed.cache_read.is_some());
                knows_cache.then_some(InputPrice { per_million: *input, up_to_tokens: None })
            }
            (None, Some(ListPrices { input, cache_read: Some(_), up_to_tokens, .. })) => {
                Some(InputPrice { per_million: *input, up_to_tokens: *up_to_tokens })
            }
            _ => None,
        }
    }

    /// The price of this many tokens of new input, to a millionth.
    fn of(&self, tokens: f64) -> f64 {
        (tokens * self.per_million).round() / 1e6
    }
}

/// Tokens of prompts whose cost is asked for.
#[derive(Clone, Copy, Debug)]
pub struct PromptTokens {
    /// As it would be sent.
    pub after: u32,
    /// What of it the provider's cache does not hold, because it was edited.
    pub rewritten: u32,
    /// Without any edit.
    pub unedited: u32,
}

/// What the input of a request costs while the cache is warm.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Cost {
    /// The next request, which writes what was edited into the cache.
    pub next: f64,
    /// One after it.
    pub later: f64,
    /// One without any edit.
    pub unedited: f64,
}

/// Members of the option `prices`.
const NAMES: [&str; 4] = ["input", "cacheRead", "cacheWrite", "output"];

/// Prices as given, in any currency, in the order of `NAMES`; not a number where the family's share holds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GivenPrices([f64; 4]);

impl GivenPrices {
    /// Checks the members of `prices`.
    pub(crate) fn check(members: &[(String, f64)]) -> Result<GivenPrices, Error> {
        let wrong = |name: &str, price: f64| {
            Error::invalid_option(format!(
                "`prices.{name}` is {}; allowed are numbers from 0 on for input (needed, above 0), cacheRead, cacheWrite, output",
                number(price)
            ))
        };
        let mut given = [f64::NAN; 4];
        for (name, price) in members {
            match NAMES.iter().zip(&mut given).find(|(known, _)| *known == name) {
                Some((_, place)) if (0.0..=1e9).contains(price) => *place = *price,
                _ => return Err(wrong(name, *price)),
            }
        }
        if given[0] > 0.0 { Ok(GivenPrices(given)) } else { Err(wrong(NAMES[0], given[0])) }
    }
}

impl Prices {
    /// What a model costs: as given, else as listed, else as is usual in its family.
    ///
    /// The family's are medians of what the vendors ask, from the catalog of pi-ai 1.5.2 that also the limits are from; OpenAI as of its
    /// newest models.
    pub fn new(given: Option<&GivenPrices>, listed: Option<&ListPrices>, family: Family) -> Prices {
        let mut prices = match family {
            Family::Gpt | Family::Claude => Prices { cache_read: 0.1, cache_write: 1.25, output: 5.0 },
            Family::Gemini => Prices { cache_read: 0.1, cache_write: 1.0, output: 6.0 },
            Family::GlmQwenDeepseek => Prices { cache_read: 0.2, cache_write: 1.0, output: 4.0 },
            Family::LlamaMistral | Family::Other => Prices { cache_read: 0.1, cache_write: 1.0, output: 4.0 },
        };
        if let Some(ListPrices { input, output, cache_read, cache_write, .. }) = listed {
            prices.output = output / input;
            if let Some(read) = cache_read {
                prices.cache_read = read / input;
                // Who lists what is read from the cache and not what is written to it asks nothing more for writing.
                prices.cache_write = cache_write.unwrap_or(*input) / input;
            }
        }
        if let Some(GivenPrices([input, read, write, output])) = given {
            let share = |price: f64, default: f64| if price.is_nan() { default } else { price / input };
            prices = Prices {
                cache_read: share(*read, prices.cache_read),
                cache_write: share(*write, prices.cache_write),
                output: share(*output, prices.output),
            };
        }
        prices
    }

    /// Where nothing is cached: all input is new.
    pub fn uncached(self) -> Prices {
        Prices { cache_read: 1.0, cache_write: 1.0, ..self }
    }

    /// What requests cost whose prompt has `tokens.after` tokens, of which the next one writes `rewritten`, and `tokens.unedited` without any edit.
    pub fn cost(self, input: &InputPrice, tokens: PromptTokens) -> Option<Cost> {
        let PromptTokens { after, rewritten, unedited } = tokens;
        if input.up_to_tokens.is_some_and(|largest| after.max(unedited) > largest) {
            return None;
        }
        let read = |tokens: u32| f64::from(tokens) * self.cache_read;
        let written = f64::from(rewritten) * self.cache_write;
        Some(Cost {
            next: input.of(read(after.saturating_sub(rewritten)) + written),
            later: input.of(read(after)),
            unedited: input.of(read(unedited)),
        })
    }

    /// What a cache has saved of a prompt of this many tokens, where these were read from it and written to it; below zero where writing cost more.
    pub fn saved(self, input: &InputPrice, prompt: f64, read: f64, written: f64) -> Option<f64> {
        let is_billed_otherwise = input.up_to_tokens.is_some_and(|largest| prompt.max(read + written) > f64::from(largest));
        (!is_billed_otherwise).then(|| input.of(read * (1.0 - self.cache_read) - written * (self.cache_write - 1.0)))
    }

    /// How many times as much as reading a token from the cache it costs to write it there anew, less that once.
    pub fn rewrite(self) -> f64 {
        (self.cache_write / self.cache_read - 1.0).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_that_are_not_given_are_the_familys_share_of_the_given_one() {
        let given = GivenPrices::check(&[("input".to_owned(), 3.0), ("cacheRead".to_owned(), 3.0)]).unwrap();
        let prices = Prices::new(Some(&given), None, Family::Claude);
        assert_eq!(prices, Prices { cache_read: 1.0, cache_write: 1.25, output: 5.0 });
        assert_eq!(prices.rewrite(), 0.25);
        assert_eq!(Prices::new(None, None, Family::Claude).rewrite(), 11.5);
    }

    #[test]
    fn a_listed_price_stands_before_the_familys_and_behind_the_given_one() {
        let listed = list_prices("claude-opus-5-5").unwrap();
        assert_eq!(Prices::new(None, Some(&listed), Family::Claude), Prices { cache_read: 0.05, cache_write: 1.25, output: 5.0 });
        let given = GivenPrices::check(&[("input".to_owned(), 8.0), ("cacheWrite".to_owned(), 8.0)]).unwrap();
        let prices = Prices::new(Some(&given), Some(&listed), Family::Claude);
        assert_eq!(prices, Prices { cache_read: 0.05, cache_write: 1.0, output: 5.0 });
        let unmarked = list_prices("gpt-5").unwrap();
        assert_eq!(Prices::new(None, Some(&unmarked), Family::Gpt), Prices { cache_read: 0.1, cache_write: 1.0, output: 8.0 });
    }

    /// As the vendors' pages on prices state them.
    #[test]
    fn well_known_models_cost_what_their_vendors_ask() {
        for (id, input, output, cache_read, cache_write) in [
            ("claude-sonnet-4-5", 3.0, 15.0, 0.3, 3.75),
            ("anthropic/claude-sonnet-4.5", 3.0, 15.0, 0.3, 3.75),
            ("claude-sonnet-4-5-20250929", 3.0, 15.0, 0.3, 3.75),
            ("us.anthropic.claude-opus-4-8-v1:0", 5.0, 25.0, 0.5, 6.25),
            ("claude-opus-5-5", 4.0, 20.0, 0.2, 5.0),
            ("claude-haiku-4-5@20251001", 1.0, 5.0, 0.1, 1.25),
            ("gpt-5", 1.25, 10.0, 0.125, 0.0),
            ("gpt-5-2025-08-07", 1.25, 10.0, 0.125, 0.0),
            ("openai/gpt-5-mini", 0.25, 2.0, 0.025, 0.0),
            ("gpt-4o-2024-05-13", 5.0, 15.0, 0.0, 0.0),
            ("gpt-4.1", 2.0, 8.0, 0.5, 0.0),
            ("gemini-2.5-pro", 1.25, 10.0, 0.125, 0.0),
            ("gemini-2.5-flash", 0.3, 2.5, 0.03, 0.0),
            ("deepseek-v4-pro", 1.32, 3.96, 0.044, 0.0),
        ] {
            let found = list_prices(id).unwrap_or_else(|| panic!("{id} has no price"));
            let prices = (found.input, found.output, found.cache_read.unwrap_or(0.0), found.cache_write.unwrap_or(0.0));
            assert_eq!(prices, (input, output, cache_read, cache_write), "{id}");
        }
        assert_eq!(list_prices("gpt-5.5").unwrap().up_to_tokens, Some(272_000));
        assert_eq!(list_prices("claude-sonnet-4-5").unwrap().up_to_tokens, None);
    }

    #[test]
    fn no_price_is_given_for_a_relative_a_tuned_model_or_a_stranger() {
        for id in ["claude-sonnet-4-5-turbo", "gpt-5.99", "gpt", "claude", "ft:gpt-4o-2024-08-06:org::id", "my-model", "o", ""] {
            assert_eq!(list_prices(id), None, "{id}");
        }
    }

    #[test]
    fn a_request_costs_what_is_read_and_written_and_a_prompt_that_is_billed_otherwise_has_no_cost() {
        let sonnet = list_prices("claude-sonnet-4-5").unwrap();
        let prices = Prices::new(None, Some(&sonnet), Family::Claude);
        let input = InputPrice::new(None, Some(&sonnet)).unwrap();
        let tokens = PromptTokens { after: 30_000, rewritten: 20_000, unedited: 100_000 };
        assert_eq!(prices.cost(&input, tokens), Some(Cost { next: 0.078, later: 0.009, unedited: 0.03 }));
        assert_eq!(prices.saved(&input, 101_000.0, 100_000.0, 1_000.0), Some(0.26925));
        let stepped = InputPrice::new(None, list_prices("gpt-5.5").as_ref()).unwrap();
        assert_eq!(prices.cost(&stepped, PromptTokens { unedited: 272_001, ..tokens }), None);
        assert_eq!(prices.saved(&stepped, 272_001.0, 100_000.0, f64::NAN.max(0.0)), None);
        assert!(prices.cost(&stepped, PromptTokens { unedited: 272_000, ..tokens }).is_some());
    }

    #[test]
    fn a_cost_is_given_only_where_input_and_cache_have_a_price() {
        let given = |members: &[(&str, f64)]| {
            let members: Vec<_> = members.iter().map(|(name, price)| ((*name).to_owned(), *price)).collect();
            GivenPrices::check(&members).unwrap()
        };
        assert_eq!(InputPrice::new(None, None), None);
        assert_eq!(InputPrice::new(Some(&given(&[("input", 2.0)])), None), None);
        assert!(InputPrice::new(Some(&given(&[("input", 2.0), ("cacheRead", 0.2)])), None).is_some());
        assert!(InputPrice::new(Some(&given(&[("input", 2.0)])), list_prices("gpt-5").as_ref()).is_some());
        assert_eq!(InputPrice::new(None, list_prices("gpt-5-pro").as_ref()), None, "no price of its own for what is read");
    }

    #[test]
    fn prices_are_refused_with_what_is_allowed() {
        for (name, price) in [("input", 0.0), ("input", f64::NAN), ("cacheRead", -1.0), ("output", f64::INFINITY), ("cached", 1.0)] {
            let error = GivenPrices::check(&[(name.to_owned(), price)]).unwrap_err().to_string();
            assert!(error.contains(&format!("`prices.{name}`")), "{error}");
        }
        assert!(
            GivenPrices::check(&[("output".to_owned(), 1.0)]).unwrap_err().to_string().contains("`prices.input` is not a finite number")
        );
    }
}
