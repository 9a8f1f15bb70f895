//! `RunState`: all that is remembered of a conversation between two steps, as bytes that JavaScript keeps and never looks into: the model
//! of the last step and the run's numbers in front, so that a step without a plan reads no more than that, and what was decided behind.
//! Not the form in which sessions are stored: that is JSON (`StoredRunState`), because its bytes change with every version.

use serde::{Deserialize, Serialize};

use super::Run;
use crate::pack;
use crate::state::FoldState;

/// What is remembered of a conversation.
#[derive(Clone, Debug, PartialEq)]
pub struct RunState {
    /// The model of the last step; empty when it had no id.
    pub model_id: String,
    /// What the run carries from step to step.
    pub run: Run,
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
    /// What was decided, packed; empty when nothing ever was.
    pub decisions: &'a [u8],
}

impl<'a> PackedRunState<'a> {
    /// Reads the front of a state; `None` where the bytes are no state.
    pub fn read(bytes: &'a [u8]) -> Option<PackedRunState<'a>> {
        let ((model_id, run), decisions) = pack::first_from_bytes::<(String, Run)>(bytes)?;
        run.is_sound().then_some(PackedRunState { model_id, run, decisions })
    }

    /// The state as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = pack::to_bytes(&(&self.model_id, &self.run));
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
        Some(RunState { model_id: packed.model_id, run: packed.run, decisions })
    }

    /// Takes back the newest checkpoint and what was decided since, and forgets what was sent last. Says whether there was anything.
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
        PackedRunState { model_id: self.model_id.clone(), run: self.run, decisions: &decisions }.to_bytes()
    }
}

/// A state as it stands in a stored session.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StoredRunState {
    /// The model's id.
    #[serde(rename = "model")]
    pub model_id: String,
    /// See `RunState`.
    pub run: Run,
    /// What was decided, as the JSON text of `FoldState`.
    #[serde(rename = "fold", default, skip_serializing_if = "Option::is_none")]
    pub decisions: Option<String>,
}

impl StoredRunState {
    /// The stored form of a state.
    pub fn of(mut state: RunState) -> StoredRunState {
        StoredRunState { decisions: state.decisions.as_mut().map(FoldState::to_json), model_id: state.model_id, run: state.run }
    }

    /// The state; the error says in a few words why it cannot be used.
    pub fn restore(self) -> Result<RunState, String> {
        if !self.run.is_sound() {
            return Err("it is damaged".to_owned());
        }
        let decisions = self.decisions.as_deref().map(FoldState::from_json).transpose()?;
        Ok(RunState { model_id: self.model_id, run: self.run, decisions })
    }
}

/// The chain as 32 hexadecimal digits: JavaScript has no whole numbers of 64 bits.
pub(super) mod chain_as_text {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::model::fingerprint::Chain;

    pub fn serialize<S: Serializer>(chain: &Chain, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&format!("{:016x}{:016x}", chain.first, chain.second))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Chain, D::Error> {
        let text = String::deserialize(deserializer)?;
        let lane = |digits: Option<&str>| digits.and_then(|digits| u64::from_str_radix(digits, 16).ok());
        let (first, second) = (lane(text.get(..16)), lane(text.get(16..)));
        first.zip(second).map(|(first, second)| Chain { first, second }).ok_or_else(|| D::Error::custom("no chain"))
    }
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
        let mut run = Run { started: true, parts: 77, awaits: true, chain, ..Run::new(&settings) };
        (run.calibration.is_reported, run.calibration.ratio, run.calibration.prior_ratio) = (true, 1.25, 1.5);
        RunState { model_id: "gpt-5".into(), run, decisions }
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
            let json = serde_json::to_string(&StoredRunState::of(state.clone())).unwrap();
            assert_eq!(serde_json::from_str::<StoredRunState>(&json).unwrap().restore(), Ok(state));
        }
    }

    #[test]
    fn what_is_no_state_is_refused() {
        let bytes = sample(None).to_bytes();
        for length in 0..bytes.len() {
            assert_eq!(RunState::read(&bytes[..length]), None, "cut to {length}");
        }
        let mut unsound = sample(None);
        unsound.run.calibration.ratio = f64::NAN;
        assert_eq!(RunState::read(&unsound.to_bytes()), None);
        assert!(StoredRunState::of(unsound).restore().is_err());
    }
}
