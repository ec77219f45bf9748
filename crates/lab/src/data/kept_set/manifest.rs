//! The manifest of a kept set: what its files hold and how they were made. It
//! holds no checksum: content is computed from its rule.

use fathom_model::{Content, DataSet};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Its file.
pub(super) const FILE: &str = "fathom-data.json";
/// The same while it is being written, before it takes that name.
pub(super) const NEW_FILE: &str = "fathom-data.json.new";
/// Longer files are no manifests.
pub(super) const BYTES_MAX: u64 = 1 << 16;
const FORMAT: &str = "fathom data set";
const VERSION: u64 = 1;

/// When what is written is made durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SyncWhen {
    /// After the clock has stopped: the time is that of writing to the page cache.
    None,
    /// Each file by fsync before it is closed, the clock running.
    Fsync,
}

/// What the files of a kept set hold, and how they were made. The file with the
/// number 7 is called `data-000007`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    format: String,
    version: u64,
    /// False until every file was written and checked.
    pub complete: bool,
    /// When it was begun, as RFC 3339.
    pub created: String,
    /// The version of Fathom that made it.
    pub fathom_version: String,
    /// From which, with a file's number, its content follows; written as text,
    /// as many readers of JSON know no such large numbers.
    #[serde(with = "as_text")]
    pub seed: u64,
    /// What the files hold.
    pub content: Content,
    /// How many files.
    pub files: u32,
    /// Bytes in each.
    pub size_bytes: u64,
    /// Bytes of one write call.
    pub block_bytes: u64,
    /// When it was made durable.
    pub sync: SyncWhen,
}

impl Manifest {
    /// The manifest of a set that is about to be made.
    pub(super) fn begun(
        data: &DataSet,
        created: String,
        seed: u64,
        block_bytes: u64,
        sync: SyncWhen,
    ) -> Self {
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            complete: false,
            created,
            fathom_version: env!("CARGO_PKG_VERSION").to_owned(),
            seed,
            content: data.content,
            files: data.files,
            size_bytes: data.size_bytes,
            block_bytes,
            sync,
        }
    }

    /// The data set.
    pub fn data(&self) -> DataSet {
        DataSet { files: self.files, size_bytes: self.size_bytes, content: self.content }
    }

    pub(super) fn text(&self) -> String {
        let text = serde_json::to_string_pretty(self).expect("plain data");
        text + "\n"
    }

    /// What is wrong with it, when it is no manifest that this version knows.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let value: serde_json::Value =
            serde_json::from_str(text).map_err(|error| format!("no manifest of a data set: {error}"))?;
        if value.get("format").and_then(serde_json::Value::as_str) != Some(FORMAT) {
            return Err("no manifest of a data set".to_owned());
        }
        match value.get("version").and_then(serde_json::Value::as_u64) {
            Some(VERSION) => {}
            Some(version) => return Err(format!("version {version}; this Fathom reads version {VERSION}")),
            None => return Err("a manifest without a version".to_owned()),
        }
        serde_json::from_value(value).map_err(|error| format!("a manifest with a mistake: {error}"))
    }
}

impl fmt::Display for SyncWhen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "none",
            Self::Fsync => "fsync",
        })
    }
}

/// The name of the file with this number.
pub(super) fn file_name(number: u32) -> String {
    format!("data-{number:06}")
}

/// True for the names of the first `files` files, and of no other.
pub(super) fn is_file_name(name: &str, files: u32) -> bool {
    let number = name.strip_prefix("data-").and_then(|digits| digits.parse::<u32>().ok());
    number.is_some_and(|number| number < files && file_name(number) == name)
}

mod as_text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    pub(super) fn serialize<S: Serializer>(seed: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(seed)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest() -> Manifest {
        let data = DataSet { files: 3, size_bytes: 4096, content: Content::LogLines };
        Manifest::begun(&data, "2026-11-20T10:00:00Z".to_owned(), u64::MAX, 8192, SyncWhen::Fsync)
    }

    #[test]
    fn a_manifest_reads_back_and_begins_unfinished() {
        let text = manifest().text();
        assert_eq!(Manifest::parse(&text), Ok(manifest()));
        assert!(!manifest().complete && text.contains("\"18446744073709551615\""), "{text}");
    }

    #[test]
    fn what_is_no_manifest_of_ours_is_refused_with_the_reason() {
        let text = manifest().text();
        for (wrong, why) in [
            (String::new(), "no manifest"),
            ("{}".to_owned(), "no manifest"),
            (text.replace("\"version\": 1", "\"version\": 2"), "version 2"),
            (text.replace("\"files\": 3", "\"files\": -3"), "mistake"),
            (text.replace("log-lines", "poems"), "mistake"),
            (text.replace("\"files\"", "\"folders\""), "mistake"),
        ] {
            let error = Manifest::parse(&wrong).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
    }

    #[test]
    fn file_names_are_those_of_the_set_and_no_others() {
        assert!(is_file_name(&file_name(2), 3));
        for name in ["data-000003", "data-2", "data-0000002", "data-+00002", "data-", "d0-000001"] {
            assert!(!is_file_name(name, 3), "{name}");
        }
    }
}
