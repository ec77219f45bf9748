//! The hook where there is none: its code is that of another architecture.

use crate::call::Call;
use crate::hooking::{Copied, HookTally};
use crate::repetition::Repetition;
use crate::tracee::StoppedThread;
use crate::witness::Witness;
use rustix::process::{Pid, WaitStatus};

/// There is none to be had.
#[derive(Debug, Clone)]
pub(crate) enum HookPlan {}

/// Nor this.
pub(crate) enum Hook {}

impl HookPlan {
    pub(crate) fn new(
        _calls: &[(u32, Copied)],
        _repetition: Option<&Repetition>,
        _stacks: bool,
    ) -> Result<Self, String> {
        Err(format!("there is no hook for {} yet", std::env::consts::ARCH))
    }

    pub(crate) fn warm_up() {}

    pub(crate) fn treats(&self) -> bool {
        match *self {}
    }

    pub(crate) fn passing_at(&self) -> Vec<u64> {
        match *self {}
    }
}

impl Hook {
    pub(crate) fn new(plan: HookPlan) -> Self {
        match plan {}
    }
    pub(crate) fn tally(self) -> HookTally {
        match self {}
    }
    pub(crate) fn next_end(&mut self) -> Option<(Pid, WaitStatus)> {
        match *self {}
    }
    pub(crate) fn drain(&mut self, _witness: &mut dyn Witness) -> bool {
        match *self {}
    }
    pub(crate) fn enters(
        &mut self,
        _pid: Pid,
        _call: Call,
        _arguments: [u64; 6],
        _instruction: u64,
        _witness: &mut dyn Witness,
    ) -> bool {
        match *self {}
    }
    pub(crate) fn at_site(&self, _pid: Pid, _instruction: u64) -> Option<StoppedThread> {
        match *self {}
    }
    pub(crate) fn left(&mut self, _pid: Pid, _instruction: u64, _result: i64, _witness: &dyn Witness) {
        match *self {}
    }
    pub(crate) fn arm(&mut self, _pid: Pid) {
        match *self {}
    }
    pub(crate) fn made(&mut self, _child: i32, _maker: i32) {
        match *self {}
    }
    pub(crate) fn executed(&mut self, _pid: Pid, _former: i32) {
        match *self {}
    }
    pub(crate) fn ended(&mut self, _tid: i32, _witness: &mut dyn Witness) {
        match *self {}
    }
    pub(crate) fn break_off(&mut self, _tid: i32, _witness: &mut dyn Witness) {
        match *self {}
    }
    pub(crate) fn signal(&mut self, _pid: Pid, _signal: i32, _witness: &mut dyn Witness) -> i32 {
        match *self {}
    }
}
