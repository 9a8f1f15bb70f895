//! A window of one token more never keeps less: every number that says what is kept, in each mode, over all windows in use.
//! Not how well the numbers are chosen: that is measured with bench/replay.
#![allow(clippy::panic)]

use stepfold::plan::Budget;
use stepfold::policy::{Optimize, Pace, room};
use stepfold::settings::{Options, Settings};
use stepfold::tokens::calibration::Calibration;

/// Windows from 2,000 to 2,000,000 tokens: each where small windows change much, then every 97th, and each near round numbers.
fn windows() -> impl Iterator<Item = u32> {
    (2_000..=2_000_000).filter(|window| *window <= 36_000 || window % 97 == 0 || matches!(window % 1_000, 0 | 1 | 999))
}

/// The numbers that say what is kept.
fn kept(budget: &Budget) -> [(&'static str, u32); 11] {
    [
        ("limit", budget.limit),
        ("fit", budget.fit),
        ("squeeze_above", budget.squeeze_above),
        ("squeezed", budget.squeezed),
        ("trigger", budget.trigger),
        ("target", budget.target),
        ("ahead", budget.ahead),
        ("tail", budget.keep_recent),
        ("least saving", budget.min_clear),
        ("large result", budget.large_result),
        ("checkpoint", budget.max_checkpoint),
    ]
}

#[test]
fn a_window_of_one_token_more_never_keeps_less() {
    let known = |calibration: Calibration| Calibration {
        is_reported: true,
        estimated_delta_tokens: 1e5,
        reported_delta_tokens: 1e5,
        ..calibration
    };
    let fresh = Calibration::new(1.0, 0.0);
    let states = [
        ("nothing is known", fresh),
        ("nothing was reported", Calibration { is_silent: true, ..fresh }),
        ("much was reported", known(Calibration::new(1.19, 900.0))),
        ("the overhead is large", known(Calibration::new(1.05, 30_000.0))),
    ];
    let any = Settings::new(&Options::default(), "claude-sonnet-4-5", "anthropic");
    for optimize in [Optimize::Balanced, Optimize::Cost, Optimize::Recall] {
        for (state, calibration) in &states {
            for pace in [None, Some(Pace { steps: 40.0, added_tokens: 60_000.0 })] {
                let mut before: Option<(u32, Budget)> = None;
                for window in windows() {
                    let window_tokens = f64::from(window);
                    let settings = Settings { window_tokens, reserve_tokens: room::reserve(window_tokens, 64_000.0), optimize, ..any };
                    let budget = Budget::new(&settings, calibration, false, pace);
                    if let Some((smaller, known)) = &before {
                        for ((name, less), (_, more)) in kept(known).into_iter().zip(kept(&budget)) {
                            assert!(
                                less <= more,
                                "{optimize:?}, {state}: {name} is {less} in a window of {smaller} and {more} in one of {window}"
                            );
                        }
                    }
                    before = Some((window, budget));
                }
            }
        }
    }
}
