//! `RunState`: all that is remembered of a conversation between two steps, as bytes that JavaScript keeps and never looks into: the model
//! of the last step and the run's numbers in front, so that a step without a plan reads no more than that, and what was decided behind.
//! Not the form in which sessions are stored: that is JSON (`StoredRunState`), because its bytes change with every version.

use serde::Serialize;

use super::Run;
use super::envelope;
use super::outcomes::Outcomes;
use crate::pack::{self, DAMAGED};
use crate::providers::media::MediaLimit;
use crate::settings::{Options, Settings};
use crate::state::{FoldState, STATE_VERSION};

/// What is remembered of a conversation.
#[derive(Clone, Debug, PartialEq)]
pub struct RunState {
    /// The model of the last step; empty when it had no id.
    pub model_id: String,
    /// What the run carries from step to step.
    pub run: Run,
    /// How calls ended.
    pub outcomes: Outcomes,
    /// What was decided; `None` when nothing ever was.
    pub decisions: Option<FoldState>,
}

/// The same, with what was decided still packed.
#[derive(Clone, Debug, PartialEq)]
pub struct PackedRunState<'a> {
    /// See `RunState`.
    pub model_id: String,
    /// See `RunState`.
    pub run: Run,
    /// See `RunState`.
    pub outcomes: Outcomes,
    /// What was decided, packed; empty when nothing ever was.
    pub decisions: &'a [u8],
}

impl<'a> PackedRunState<'a> {
    /// Reads the front of a state; `None` where the bytes are no state.
    pub fn read(bytes: &'a [u8]) -> Option<PackedRunState<'a>> {
        let ((model_id, mut run, media, reply_tokens, outcomes), decisions) =
            pack::first_from_bytes::<(String, Run, MediaLimit, f64, Outcomes)>(bytes)?;
        (run.calibration.traits.media, run.reply_tokens) = (media, reply_tokens);
        (run.is_sound() && outcomes.is_sound()).then_some(PackedRunState { model_id, run, outcomes, decisions })
    }

    /// The state as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Run { calibration, reply_tokens, .. } = &self.run;
        let mut bytes = pack::to_bytes(&(&self.model_id, &self.run, calibration.traits.media, reply_tokens, &self.outcomes));
        bytes.extend_from_slice(self.decisions);
        bytes
    }

    /// What was decided.
    pub fn decisions(&self) -> Option<FoldState> {
        FoldState::from_packed(self.decisions)
    }
}

impl RunState {
    /// Reads a whole state; `None` where the bytes are no state.
    pub fn read(bytes: &[u8]) -> Option<RunState> {
        let packed = PackedRunState::read(bytes)?;
        let decisions = packed.decisions();
        Some(RunState { model_id: packed.model_id, run: packed.run, outcomes: packed.outcomes, decisions })
    }

    /// Takes back the newest checkpoint and what was decided since, and forgets what was sent last. Returns whether there was anything.
    pub fn undo(&mut self) -> bool {
        let is_changed = self.decisions.as_mut().is_some_and(FoldState::undo);
        if is_changed {
            self.run.forget_sent();
            self.decisions = self.decisions.take().filter(FoldState::has_edits);
        }
        is_changed
    }

    /// The state as bytes.
    pub fn to_bytes(&mut self) -> Vec<u8> {
        let decisions = self.decisions.as_mut().map(FoldState::to_packed).unwrap_or_default();
        PackedRunState { model_id: self.model_id.clone(), run: self.run, outcomes: self.outcomes.clone(), decisions: &decisions }.to_bytes()
    }
}

/// A state as it stands in a stored session.
#[derive(Clone, Debug, Default, Serialize)]
pub struct StoredRunState {
    /// The model's id.
    #[serde(rename = "model")]
    pub model_id: String,
    /// The run's numbers, sealed; `None` where nothing is to be gone on from but the envelope.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// What every version reads of what was decided, as JSON text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub envelope: Option<String>,
    /// The rest of it, as the JSON text of `FoldState`.
    #[serde(rename = "fold", skip_serializing_if = "Option::is_none")]
    pub decisions: Option<String>,
}

/// What could be read of a stored state.
#[derive(Clone, Debug, PartialEq)]
pub struct Restored {
    /// What there is to go on from.
    pub state: Option<RunState>,
    /// What is not used, and why, in a few words.
    pub refused: Option<String>,
}

impl StoredRunState {
    /// The stored form of a state.
    pub fn of(mut state: RunState) -> StoredRunState {
        let envelope = state.decisions.as_mut().and_then(envelope::take_from);
        let beside = envelope.as_deref().map(envelope::canonical).unwrap_or_default();
        let decisions = state.decisions.as_mut().map(|decisions| decisions.to_json_beside(beside.as_bytes()));
        let mut run = pack::to_bytes(&state.run);
        // States that were stored before there were outcomes end there, and before calls were seen behind these.
        let reply_tokens = state.run.reply_tokens;
        if state.outcomes != Outcomes::default() || reply_tokens > 0.0 {
            run.extend(pack::to_bytes(&state.outcomes));
        }
        if reply_tokens > 0.0 {
            run.extend(pack::to_bytes(&reply_tokens));
        }
        let run = pack::seal(&run, STATE_VERSION, &[]);
        StoredRunState { model_id: state.model_id, run: Some(run), envelope, decisions }
    }

    /// The state; where the rest is of another version or damaged, what the envelope says of it.
    pub fn restore(self) -> Restored {
        let envelope = self.envelope.as_deref();
        let run = self.run.map(|run| {
            let packed = pack::open(&run, STATE_VERSION, &[])?;
            let read = pack::first_from_bytes::<Run>(&packed).and_then(|(run, rest)| {
                let (outcomes, rest) = if rest.is_empty() { (Outcomes::default(), rest) } else { pack::first_from_bytes(rest)? };
                let reply_tokens = if rest.is_empty() { 0.0 } else { pack::from_bytes(rest)? };
                Some((Run { reply_tokens, ..run }, outcomes))
            });
            read.filter(|(run, outcomes)| run.is_sound() && outcomes.is_sound()).ok_or_else(|| DAMAGED.to_owned())
        });
        let refused = match (run, self.decisions) {
            (Some(Err(reason)), _) => Some(reason),
            (Some(Ok((mut run, outcomes))), Some(rest)) => match whole(&rest, envelope) {
                Ok(decisions) => {
                    run.calibration.traits.media =
                        decisions.calibration_of(&self.model_id).map_or(MediaLimit::default(), |learnt| learnt.traits.media);
                    let state = RunState { model_id: self.model_id, run, outcomes, decisions: Some(decisions) };
                    return Restored { state: Some(state), refused: None };
                }
                Err(reason) => Some(reason),
            },
            (Some(Ok((run, outcomes))), None) if envelope.is_none() => {
                return Restored { state: Some(RunState { model_id: self.model_id, run, outcomes, decisions: None }), refused: None };
            }
            (None, None) if envelope.is_some() => None,
            _ => Some(DAMAGED.to_owned()),
        };
        let decisions = envelope.and_then(envelope::rebuilt);
        let refused = match (&decisions, refused) {
            (Some(_), reason) => reason.map(|reason| format!("{reason}; {ENVELOPE_IS_USED}")),
            (None, reason) => Some(reason.unwrap_or_else(|| DAMAGED.to_owned())),
        };
        // A run that has not started is begun anew, with the numbers of its model.
        let run = Run::new(&Settings::new(&Options::default(), "", ""));
        let outcomes = Outcomes::default();
        let state = decisions.map(|decisions| RunState { model_id: String::new(), run, outcomes, decisions: Some(decisions) });
        Restored { state, refused }
    }
}

/// What the event `state-rejected` says.
const ENVELOPE_IS_USED: &str = "the user's words, what was done and the summary of its newest checkpoint are kept";

/// What was decided, from both of its parts.
fn whole(rest: &str, envelope: Option<&str>) -> Result<FoldState, String> {
    let beside = envelope.map(envelope::canonical).unwrap_or_default();
    let mut decisions = FoldState::from_json_beside(rest, beside.as_bytes())?;
    let is_whole = envelope.is_none_or(|envelope| envelope::put_into(envelope, &mut decisions));
    if is_whole { Ok(decisions) } else { Err(DAMAGED.to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::fingerprint::Chain;
    use crate::settings::{Options, Settings};
    use crate::state::Checkpoint;

    fn sample(decisions: Option<FoldState>) -> RunState {
        let settings = Settings::new(&Options::default(), "gpt-5", "openai");
        let chain = Chain { first: 0x0123_4567_89ab_cdef, second: 0xf011_2233_4455_6677 };
        let mut run = Run { started: true, parts: 77, awaits: true, chain, reply_tokens: 24_000.0, ..Run::new(&settings) };
        (run.calibration.is_reported, run.calibration.ratio, run.calibration.prior_ratio) = (true, 1.25, 1.5);
        RunState { model_id: "gpt-5".into(), run, outcomes: Outcomes::default(), decisions }
    }

    fn folded() -> FoldState {
        FoldState { checkpoints: vec![Checkpoint { summary: Some("do it".into()), ..Checkpoint::default() }], ..FoldState::default() }
    }

    #[test]
    fn a_state_comes_back_from_its_bytes_and_from_its_stored_form() {
        for decisions in [None, Some(folded())] {
            let mut state = sample(decisions);
            let bytes = state.to_bytes();
            assert_eq!(RunState::read(&bytes).as_ref(), Some(&state));
            assert_eq!(PackedRunState::read(&bytes).map(|packed| packed.to_bytes()), Some(bytes));
            assert_eq!(StoredRunState::of(state.clone()).restore(), Restored { state: Some(state), refused: None });
        }
    }

    #[test]
    fn what_is_no_state_is_refused() {
        let bytes = sample(None).to_bytes();
        for length in 0..bytes.len() {
            assert_eq!(RunState::read(&bytes[..length]), None, "cut to {length}");
        }
        let ways: [fn(&mut Run); 6] = [
            |run| run.calibration.ratio = f64::NAN,
            |run| run.calibration.overhead_tokens = -1e9,
            |run| run.sent_estimated = f64::NAN,
            |run| run.skip_plan_below_tokens = 1e308,
            |run| run.parts = u32::MAX,
            |run| run.reply_tokens = 1e308,
        ];
        for make_unsound in ways {
            let mut unsound = sample(None);
            make_unsound(&mut unsound.run);
            assert_eq!(RunState::read(&unsound.to_bytes()), None);
            assert_eq!(StoredRunState::of(unsound).restore(), Restored { state: None, refused: Some("it is damaged".into()) });
        }
    }

    #[test]
    fn where_the_rest_cannot_be_used_the_newest_checkpoint_comes_from_the_envelope() {
        let stored = StoredRunState::of(sample(Some(folded())));
        let rest = stored.decisions.clone().unwrap();
        let of_another_version = rest.replace(&format!(r#"{{"version":{STATE_VERSION}"#), r#"{"version":4000"#);
        let mut other = StoredRunState::of(sample(Some(FoldState { checkpoints: vec![Checkpoint::default()], ..folded() })));
        other.run = None;
        for (rest, run, reason) in [
            (Some(of_another_version), stored.run.clone(), Some("version 4000")),
            (Some("{}".to_owned()), stored.run.clone(), Some("no stepfold state")),
            // Of another state, whose checksum is right for its own envelope.
            (other.decisions, stored.run.clone(), Some("damaged")),
            (Some(rest.clone()), None, Some("damaged")),
            (Some(rest.clone()), Some(r#"{"started":true}"#.to_owned()), Some("no stepfold state")),
            (Some(rest), stored.run.as_ref().map(|run| run.replace("\"data\":\"", "\"data\":\"A")), Some("damaged")),
            (None, None, None),
        ] {
            let Restored { state, refused } = StoredRunState { run, decisions: rest, ..stored.clone() }.restore();
            let state = state.unwrap();
            assert_eq!(state.decisions.unwrap().checkpoints, folded().checkpoints);
            assert!(!state.run.started);
            assert_eq!(refused.is_some(), reason.is_some());
            assert!(refused.unwrap_or_default().contains(reason.unwrap_or_default()));
        }
    }
}
