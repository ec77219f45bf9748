//! Room for many descriptors: a counter takes one for each thread or CPU.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// While it lives this process may open as many descriptors as it ever may.
#[derive(Debug)]
pub(super) struct DescriptorRoom {
    before: Option<Rlimit>,
}

impl DescriptorRoom {
    /// Raises the soft limit to the hard one. Where that fails, what does not fit says so.
    pub(super) fn make() -> Self {
        let before = getrlimit(Resource::Nofile);
        let raised = Rlimit { current: before.maximum, maximum: before.maximum };
        Self { before: setrlimit(Resource::Nofile, raised).is_ok().then_some(before) }
    }
}

impl Drop for DescriptorRoom {
    fn drop(&mut self) {
        // What programs started later inherit is the limit that the user gave.
        if let Some(before) = self.before.take() {
            let _refused_is_no_harm = setrlimit(Resource::Nofile, before);
        }
    }
}
