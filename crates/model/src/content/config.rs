//! Small configuration files: the same keys and values in three formats, each
//! file of exactly [`BYTES`] bytes.

use super::splitmix64;

/// Bytes of one file.
pub(super) const BYTES: usize = 1024;

/// The numbers in one file; everything else is the same in all.
#[derive(Debug, Clone, Copy)]
pub(super) struct Values {
    port: u64,
    open: u64,
    read: u64,
}

impl Values {
    pub(super) fn of(seed: u64) -> Self {
        let draw = |number: u64, below: u64| splitmix64(seed.wrapping_add(number)) % below;
        Self { port: 1024 + draw(0, 60_000), open: 1 + draw(1, 1000), read: 1 + draw(2, 1000) }
    }

    /// What a program that parsed the file adds up.
    pub(super) fn sum(self) -> u64 {
        self.port + self.open + self.read
    }
}

pub(super) fn json(values: &Values) -> Vec<u8> {
    let Values { port, open, read } = values;
    padded(|padding| {
        format!(
            "{{\n  \"name\": \"service-{port}\",\n  \"port\": {port},\n  \"ratio\": 0.25,\n  \"enabled\": true,\n  \
             \"tags\": [\"a\", \"b\", \"c\"],\n  \"limits\": {{\"open\": {open}, \"read\": {read}}},\n  \
             \"padding\": \"{padding}\"\n}}\n"
        )
    })
}

pub(super) fn yaml(values: &Values) -> Vec<u8> {
    let Values { port, open, read } = values;
    padded(|padding| {
        format!(
            "name: service-{port}\nport: {port}\nratio: 0.25\nenabled: true\ntags:\n  - a\n  - b\n  - c\nlimits:\n  \
             open: {open}\n  read: {read}\npadding: {padding}\n"
        )
    })
}

pub(super) fn toml(values: &Values) -> Vec<u8> {
    let Values { port, open, read } = values;
    padded(|padding| {
        format!(
            "name = \"service-{port}\"\nport = {port}\nratio = 0.25\nenabled = true\ntags = [\"a\", \"b\", \"c\"]\n\
             padding = \"{padding}\"\n\n[limits]\nopen = {open}\nread = {read}\n"
        )
    })
}

/// The text with as much padding as makes it [`BYTES`] long.
fn padded(text: impl Fn(&str) -> String) -> Vec<u8> {
    let bare = text("").len();
    text(&"x".repeat(BYTES - bare)).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_holds_the_values_in_as_many_bytes() {
        let values = Values::of(7);
        for text in [json(&values), yaml(&values), toml(&values)] {
            assert_eq!(text.len(), BYTES);
            let text = String::from_utf8(text).unwrap();
            for number in [values.port, values.open, values.read] {
                assert!(text.contains(&number.to_string()), "{text}");
            }
        }
        let parsed: serde_json::Value = serde_json::from_slice(&json(&values)).unwrap();
        assert_eq!(parsed["port"], values.port);
        assert_eq!(parsed["limits"]["read"], values.read);
    }
}
