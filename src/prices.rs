//! What tokens cost, as multiples of the price of an input token that no cache holds: only such shares matter here, no currency does.
//! Not here: what prices lead to (see `optimize` and `plan::preview`).

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::limits::Family;
use crate::option::number;

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
    /// What a model of this family costs, where it is not given.
    ///
    /// Medians of what the vendors ask, from the catalog of pi-ai 1.5.2 that also the limits are from; OpenAI as of its newest models.
    pub fn new(given: Option<&GivenPrices>, family: Family) -> Prices {
        let (cache_read, cache_write, output) = match family {
            Family::Gpt | Family::Claude => (0.1, 1.25, 5.0),
            Family::Gemini => (0.1, 1.0, 6.0),
            Family::GlmQwenDeepseek => (0.2, 1.0, 4.0),
            Family::LlamaMistral | Family::Other => (0.1, 1.0, 4.0),
        };
        let [input, read, write, out] = given.map_or([f64::NAN; 4], |given| given.0);
        let share = |price: f64, default: f64| if price.is_nan() { default } else { price / input };
        Prices { cache_read: share(read, cache_read), cache_write: share(write, cache_write), output: share(out, output) }
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
        let prices = Prices::new(Some(&given), Family::Claude);
        assert_eq!(prices, Prices { cache_read: 1.0, cache_write: 1.25, output: 5.0 });
        assert_eq!(prices.rewrite(), 0.25);
        assert_eq!(Prices::new(None, Family::Claude).rewrite(), 11.5);
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
