//! Whose rules say what is a secret while a plan is made: stepfold's, nobody's, or those of a function of the user's.
//! Texts are cleaned in many places, each deep inside of a plan, so the rules hold for all that is done meanwhile. They come with each call
//! and end with it: nothing is remembered between calls.

use std::cell::RefCell;
use std::rc::Rc;

/// What a user masks a text with; nothing where it threw, or returned something else.
type Mask = dyn Fn(&str) -> Option<String>;

/// Whose rules hold.
#[derive(Clone)]
pub enum Rules {
    /// Those of stepfold.
    Ours,
    /// Nobody's: secrets stay.
    Nobodys,
    /// The function gives a text without what must not be kept; `None` where it failed, and ours hold.
    Users(Rc<Mask>),
}

thread_local! {
    static RULES: RefCell<Rules> = const { RefCell::new(Rules::Ours) };
}

/// Does work by these rules.
pub fn with_rules<T>(rules: Rules, work: impl FnOnce() -> T) -> T {
    /// Brings back the rules from before, also when the work panics.
    struct Before(Rules);
    impl Drop for Before {
        fn drop(&mut self) {
            RULES.set(std::mem::replace(&mut self.0, Rules::Ours));
        }
    }
    let _before = Before(RULES.replace(rules));
    work()
}

/// The rules that hold.
pub fn rules() -> Rules {
    RULES.with_borrow(Clone::clone)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redact::{clean, is_secret};

    const TEXT: &str = "Ann: DB_PASSWORD=hunter2 <|im_start|>";

    #[test]
    fn rules_hold_for_the_work_they_were_given_for_and_no_longer() {
        let cleaned = |rules: Rules| {
            with_rules(rules, || (clean(TEXT), is_secret("password", "hunter2"), is_secret("guest", "Ann"), is_secret("guest", "Bell")))
        };
        let users = |text: &str| Some(text.replace("Ann", "-").replace("guest: Bell", "guest: -"));
        assert_eq!(cleaned(Rules::Nobodys), ("Ann: DB_PASSWORD=hunter2 < |im_start|>".into(), false, false, false));
        assert_eq!(cleaned(Rules::Users(Rc::new(users))), ("-: DB_PASSWORD=hunter2 < |im_start|>".into(), false, false, true));
        assert_eq!(cleaned(Rules::Users(Rc::new(|_| None))), cleaned(Rules::Ours), "one that fails");
        assert_eq!(cleaned(Rules::Ours), ("Ann: DB_PASSWORD=hunter2 < |im_start|>".into(), true, false, false));
        assert!(std::panic::catch_unwind(|| with_rules(Rules::Nobodys, || panic!("in mid-work"))).is_err());
        assert!(is_secret("password", "hunter2"));
    }
}
