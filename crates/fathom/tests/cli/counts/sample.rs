//! Which methods a run of the tests also runs under strace.

/// One method of each operation is run under strace, another one each time; all
/// of them where `FATHOM_TEST_STRACE` is `all`.
pub(crate) struct Sample {
    pub(crate) seed: u64,
    all: bool,
}

impl Sample {
    pub(crate) fn draw() -> Self {
        let given = std::env::var("FATHOM_TEST_SEED").ok().map(|text| text.parse().expect("a number"));
        let all = std::env::var("FATHOM_TEST_STRACE").is_ok_and(|word| word == "all");
        Self { seed: given.unwrap_or_else(fathom_lab::draw_seed), all }
    }

    pub(crate) fn of<'a>(&self, methods: &[&'a str]) -> Vec<&'a str> {
        if self.all {
            return methods.to_vec();
        }
        let drawn = fathom_model::splitmix64(self.seed ^ methods.len() as u64);
        let index = usize::try_from(drawn % methods.len().max(1) as u64).expect("an index");
        methods.get(index).copied().into_iter().collect()
    }
}
