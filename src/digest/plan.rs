//! The plan or todo list that a model keeps, put together over the calls that change it.
//! Tools for plans are the one family that is known by name. Not whether what a plan says is still true.

use serde::{Deserialize, Serialize};

use crate::digest::effect::own_name;
use crate::json::Value;
use crate::redact::clean;
use crate::text::clip::{ROOM_CHARS, clean_within, clip, one_line, within};

/// Longest text of an item, in characters.
const ITEM_CHARS: usize = 240;
/// Items of a plan; a longer list is cut.
const ITEMS: usize = 100;
/// Longest plan in prose, in bytes.
const TEXT_BYTES: usize = 8 * 1024;

/// Members that hold the list, or a plan in prose.
const LISTS: [&str; 7] = ["todos", "plan", "todoList", "todo_list", "items", "tasks", "steps"];

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

impl PlanStatus {
    /// The word by which harnesses name it: `pending`, `in_progress`, `completed`, `cancelled` and their kin; `None` for any other word.
    fn known(name: &str) -> Option<PlanStatus> {
        match plain(name).as_str() {
            "pending" | "open" | "todo" | "notstarted" | "false" => Some(PlanStatus::Open),
            "completed" | "complete" | "done" | "finished" | "closed" | "true" => Some(PlanStatus::Done),
            "inprogress" | "active" | "doing" | "started" | "running" => Some(PlanStatus::Active),
            "cancelled" | "canceled" | "deleted" | "dropped" | "skipped" => Some(PlanStatus::Dropped),
            _ => None,
        }
    }
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

impl PlanChange {
    /// What the call `tool(input)` changes of a plan; `None` for a call of any other kind.
    pub fn of_call(tool: &str, input: &Value) -> Option<PlanChange> {
        let name = plain(own_name(tool));
        let text_at = |keys: &[&str]| keys.iter().find_map(|key| input.get(key)?.as_str().filter(|text| !text.trim().is_empty()));
        match name.as_str() {
            "taskcreate" => return text_at(&["subject", "description", "title"]).map(|text| PlanChange::Create(PlanItem::new(text))),
            "taskupdate" => {
                let id = ["taskId", "task_id", "id"].iter().find_map(|key| input.get(key)).map(Value::scalar_text)?;
                let status = input.get("status").and_then(|status| PlanStatus::known(status.scalar_text()));
                let text = text_at(&["subject", "title"]).map(str::to_owned);
                return Some(PlanChange::Update { id: clip(id.trim(), ITEM_CHARS), status, text });
            }
            "exitplanmode" => return text_at(&["plan"]).map(PlanChange::from_text),
            _ => {}
        }
        // A plan that is sold or cooked has no items that are pending or done.
        let is_known = name.contains("todo");
        let is_wanted = |list: &Value| is_known || (name.contains("plan") || name.contains("task")) && has_states(list);
        match LISTS.iter().find_map(|key| input.get(key))? {
            Value::Text(text) => match Value::parse(text) {
                Some(list) => PlanChange::from_list(&list).filter(|_| is_wanted(&list)),
                None => (is_known || name == "updateplan" && text.contains('\n')).then(|| PlanChange::from_text(text)),
            },
            list => PlanChange::from_list(list).filter(|_| is_wanted(list)),
        }
    }

    /// The plan that a list of items is; `None` when the value is no such list.
    fn from_list(list: &Value) -> Option<PlanChange> {
        let Value::List(items) = list else { return None };
        Some(PlanChange::Replace(items.iter().take(ITEMS).filter_map(PlanItem::read).collect()))
    }

    /// A plan in prose, also one of checkboxes, stands as it is.
    fn from_text(text: &str) -> PlanChange {
        PlanChange::Text(clean(&within(text.trim(), TEXT_BYTES)))
    }
}

impl PlanItem {
    /// An open item by its text, without secrets.
    fn new(text: &str) -> PlanItem {
        let line = one_line(&clip(text, 4 * ITEM_CHARS));
        PlanItem { text: clean_within(&clip(&line, ITEM_CHARS + ROOM_CHARS), ITEM_CHARS), ..PlanItem::default() }
    }

    /// Reads an item as harnesses write it: a text, or an object that names one. `None` when it says nothing.
    fn read(item: &Value) -> Option<PlanItem> {
        const TEXTS: [&str; 9] = ["content", "step", "title", "subject", "text", "description", "task", "name", "activeForm"];
        let text = item.as_str().or_else(|| TEXTS.iter().find_map(|key| item.get(key)?.as_str()))?;
        let id = ["id", "taskId", "task_id"].iter().find_map(|key| item.get(key)).map_or("", Value::scalar_text);
        let status = status_of(item).unwrap_or_default();
        (!text.trim().is_empty()).then(|| PlanItem { id: clip(id, ITEM_CHARS), status, ..PlanItem::new(text) })
    }
}

/// How far an item says it is.
fn status_of(item: &Value) -> Option<PlanStatus> {
    ["status", "state", "done", "completed"].iter().find_map(|key| item.get(key)).and_then(|status| PlanStatus::known(status.scalar_text()))
}

/// Whether each item of a list says how far it is.
fn has_states(list: &Value) -> bool {
    let Value::List(items) = list else { return false };
    !items.is_empty() && items.iter().all(|item| status_of(item).is_some() && PlanItem::read(item).is_some())
}

/// A name in small letters without marks: `Todo-Write` is `todowrite`.
fn plain(name: &str) -> String {
    name.bytes().filter(u8::is_ascii_alphanumeric).take(64).map(|byte| char::from(byte.to_ascii_lowercase())).collect()
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
        match change {
            PlanChange::Replace(items) => self.items = items.clone(),
            PlanChange::Create(item) => {
                if self.items.len() >= ITEMS {
                    // What is done makes room first.
                    let done = self.items.iter().position(|old| matches!(old.status, PlanStatus::Done | PlanStatus::Dropped));
                    self.items.remove(done.unwrap_or(0));
                }
                self.items.push(item.clone());
            }
            PlanChange::Update { id, status, text } => {
                let known = self.items.iter().position(|item| item.id == *id);
                // Its creation is not known; without a text there would be nothing to show.
                if known.is_none() && text.is_some() && self.items.len() < ITEMS {
                    self.items.push(PlanItem { id: id.clone(), ..PlanItem::default() });
                }
                let Some(item) = self.items.iter_mut().find(|item| item.id == *id) else { return };
                item.status = status.unwrap_or(item.status);
                item.text = text.as_ref().map_or(std::mem::take(&mut item.text), |text| PlanItem::new(text).text);
            }
            PlanChange::Text(text) => text.clone_into(&mut self.text),
        }
        self.changed_at_step = step;
    }

    /// Takes in what the result of a call that created an item says: the id that later calls name, as in
    /// `Task #3 created successfully: Write the tests` or `{"task":{"id":"3","subject":"Write the tests"}}`.
    pub fn name_created(&mut self, result: &str) {
        let id = match Value::parse(result) {
            Some(value) => value.get("task").unwrap_or(&value).get("id").map_or("", Value::scalar_text).to_owned(),
            None => result.split_once('#').map_or("", |(_, rest)| rest).chars().take_while(char::is_ascii_digit).collect(),
        };
        let unnamed = || self.items.iter().enumerate().filter(|(_, item)| item.id.is_empty());
        let same = unnamed().find(|(_, item)| result.contains(&item.text)).or_else(|| unnamed().next()).map(|(at, _)| at);
        if let Some(item) = same.and_then(|at| self.items.get_mut(at)) {
            item.id = clip(&id, ITEM_CHARS);
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty() && self.text.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(plan: &Plan) -> String {
        plan.items.iter().map(|item| format!("{}:{}:{:?}", item.id, item.text, item.status)).collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn tools_for_plans_are_known_by_their_names() {
        for (tool, input, change) in [
            ("TodoWrite", r#"{"todos":[{"content":"a","status":"completed"}]}"#, true),
            ("mcp__plans__update-plan", r#"{"steps":"[{\"step\":\"a\",\"status\":\"pending\"}]"}"#, true),
            ("TaskCreate", r#"{"subject":"a"}"#, true),
            ("TaskUpdate", r#"{"taskId":"1","status":"done"}"#, true),
            ("ExitPlanMode", r#"{"plan":"- [ ] a"}"#, true),
            ("write_todos", r#"{"todos":["a","b"]}"#, true),
            ("plan_trip", r#"{"steps":[{"text":"a","status":"pending"}]}"#, true),
            ("getFloorPlan", r#"{"floor":2}"#, false),
            ("update_plan", r#"{"customer":"CUS-77","plan":"pro"}"#, false),
            ("upgrade_plan", r#"{"customer":"CUS-77","plan":"pro"}"#, false),
            ("orderMealPlan", r#"{"items":[{"name":"soup","count":2}]}"#, false),
            ("airplane_booking", r#"{"items":["12A","12B"]}"#, false),
            ("orderPlants", r#"{"steps":["fern"]}"#, false),
            ("search", r#"{"tasks":["a"]}"#, false),
        ] {
            assert_eq!(PlanChange::of_call(tool, &Value::parse(input).unwrap()).is_some(), change, "{tool}");
        }
    }

    #[test]
    fn items_of_every_harness_are_read() {
        let rows = [
            (r#"[{"content":"a","status":"completed","activeForm":"doing a"},{"content":"b","status":"in_progress"}]"#, "a:Done b:Active"),
            (r#"[{"step":"a","status":"pending"}]"#, "a:Open"),
            (r#"[{"id":1,"title":"a","status":"not-started"},{"id":2,"title":"b","status":"completed"}]"#, "a:Open b:Done"),
            (r#"[{"description":"a","status":"cancelled"}]"#, "a:Dropped"),
            (r#"["a\n b",{"task":"c","done":true},7,{}]"#, "a b:Open c:Done"),
        ];
        for (list, expected) in rows {
            let Some(PlanChange::Replace(items)) = PlanChange::from_list(&Value::parse(list).unwrap()) else { panic!("{list}") };
            let shown: Vec<_> = items.iter().map(|item| format!("{}:{:?}", item.text, item.status)).collect();
            assert_eq!(shown.join(" "), expected);
        }
        assert_eq!(PlanChange::from_list(&Value::parse("{}").unwrap()), None);
    }

    #[test]
    fn created_items_get_their_ids_from_results_and_are_updated_by_them() {
        let mut plan = Plan::default();
        plan.change(&PlanChange::Create(PlanItem::new("write")), 1);
        plan.change(&PlanChange::Create(PlanItem::new("test")), 1);
        plan.name_created("Task #2 created successfully: test");
        plan.name_created("Task #1 created successfully: write");
        let update = |id: &str, status, text: Option<&str>| PlanChange::Update { id: id.into(), status, text: text.map(str::to_owned) };
        plan.change(&update("1", Some(PlanStatus::Done), None), 4);
        plan.change(&update("9", Some(PlanStatus::Done), None), 5);
        plan.change(&update("8", None, Some("found later")), 6);
        assert_eq!((shown(&plan).as_str(), plan.changed_at_step), ("1:write:Done | 2:test:Open | 8:found later:Open", 6));
        plan.change(&PlanChange::Create(PlanItem::new("ship")), 7);
        plan.name_created(r#"{"task":{"id":"k1","subject":"ship"}}"#);
        assert!(shown(&plan).ends_with("k1:ship:Open"));
    }

    #[test]
    fn a_text_is_a_plan_as_it_stands() {
        let input = Value::parse(r#"{"todos":"- [x] one\n- [-] two"}"#).unwrap();
        let change = PlanChange::of_call("update_todo_list", &input);
        assert_eq!(change, Some(PlanChange::Text("- [x] one\n- [-] two".into())));
    }

    #[test]
    fn thirty_plans_and_endless_lists_stay_bounded() {
        let mut plan = Plan::default();
        let many = format!("[{}]", vec![format!("\"{}\"", "x".repeat(5_000)); 500].join(","));
        plan.change(&PlanChange::from_list(&Value::parse(&many).unwrap()).unwrap(), 1);
        for step in 0..300 {
            plan.change(&PlanChange::Create(PlanItem::new("y")), step);
        }
        assert!(plan.items.len() <= ITEMS && plan.items.iter().all(|item| item.text.chars().count() <= ITEM_CHARS + 1));
    }
}
