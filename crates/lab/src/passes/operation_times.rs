//! The operations' own times as a driver writes them, and what becomes of them:
//! percentiles, mean and a histogram that other programs can read. What is run,
//! and when, lives in `latency_pass` and `long_run`.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fathom_model::Latency;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::{Serializer, V2DeflateSerializer};
use std::fs::{File, Permissions};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};

/// Digits to which times are kept.
const DIGITS: u8 = 3;
/// Of one word of the driver's file.
const WORD_BYTES: usize = 8;

/// The file that a driver appends its times to. It goes away with this.
#[derive(Debug)]
pub(crate) struct TimesFile {
    path: PathBuf,
    reader: File,
    read_bytes: u64,
    _folder: tempfile::TempDir,
}

impl TimesFile {
    /// An empty file in a directory of its own, that `user` may write where it is another than ours.
    pub(crate) fn new(user: Option<u32>) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("fathom-times-").tempdir()?;
        let path = folder.path().join("times");
        File::create_new(&path)?;
        if user.is_some() {
            std::fs::set_permissions(folder.path(), Permissions::from_mode(0o711))?;
            chown(&path, user, None)?;
        }
        let reader = File::open(&path)?;
        Ok(Self { path, reader, read_bytes: 0, _folder: folder })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The times appended since this was last asked, in ns.
    pub(crate) fn appended(&mut self) -> io::Result<Vec<u64>> {
        self.reader.seek(SeekFrom::Start(self.read_bytes))?;
        let mut bytes = Vec::new();
        self.reader.read_to_end(&mut bytes)?;
        let (words, rest) = bytes.as_chunks::<WORD_BYTES>();
        if !rest.is_empty() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "the driver's file of times ends amid a number",
            ));
        }
        self.read_bytes += bytes.len() as u64;
        Ok(words.iter().map(|word| u64::from_le_bytes(*word)).collect())
    }
}

/// How many operations took how long.
#[derive(Debug, Clone)]
pub(crate) struct TimeDistribution {
    histogram: Histogram<u64>,
    sum_ns: u128,
}

impl TimeDistribution {
    pub(crate) fn new() -> Self {
        let histogram = Histogram::new(DIGITS).expect("three digits are between none and five");
        Self { histogram, sum_ns: 0 }
    }

    pub(crate) fn add(&mut self, times_ns: &[u64]) {
        for &time_ns in times_ns {
            self.histogram.record(time_ns).expect("the histogram grows as it has to");
            self.sum_ns += u128::from(time_ns);
        }
    }

    /// Operations so far.
    pub(crate) fn n(&self) -> u64 {
        self.histogram.len()
    }

    pub(crate) fn latency(&self) -> Latency {
        let at = |quantile: f64| self.histogram.value_at_quantile(quantile);
        Latency {
            n: self.n(),
            p50_ns: at(0.5),
            p90_ns: at(0.9),
            p99_ns: at(0.99),
            p999_ns: at(0.999),
            p9999_ns: at(0.9999),
            most_ns: self.histogram.max(),
        }
    }

    /// The mean of the times themselves, in ns; 0 without any.
    pub(crate) fn mean_ns(&self) -> f64 {
        self.sum_ns as f64 / (self.n() as f64).max(1.0)
    }

    /// `HdrHistogram`'s V2 form, deflated, in base64.
    pub(crate) fn encoded(&self) -> Result<String, String> {
        let mut bytes = Vec::new();
        let written = V2DeflateSerializer::new().serialize(&self.histogram, &mut bytes);
        written.map_err(|error| format!("the histogram cannot be written: {error}"))?;
        Ok(STANDARD.encode(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hdrhistogram::serialization::Deserializer;
    use std::io::Write;

    fn distribution(times_ns: &[u64]) -> TimeDistribution {
        let mut distribution = TimeDistribution::new();
        distribution.add(times_ns);
        distribution
    }

    #[test]
    fn percentiles_are_those_of_the_times() {
        let times: Vec<u64> = (1..=1000).map(|n| n * 100).collect();
        let found = distribution(&times).latency();
        assert_eq!(found.n, 1000);
        for (value, exact) in [(found.p50_ns, 50_000), (found.p99_ns, 99_000), (found.most_ns, 100_000)] {
            assert!(value.abs_diff(exact) * 500 <= exact, "{value} is {exact} to three digits");
        }
        assert_eq!(distribution(&[]).latency().n, 0);
    }

    #[test]
    fn the_mean_is_of_the_times_and_not_of_the_histogram() {
        let close = |value: f64, exact: f64| (value - exact).abs() < 1e-9 * exact.max(1.0);
        assert!(close(distribution(&[1_000_001, 1_000_003]).mean_ns(), 1_000_002.0));
        assert!(close(distribution(&[]).mean_ns(), 0.0));
    }

    #[test]
    fn the_histogram_can_be_read_back() {
        let original = distribution(&[0, 1, 77, 77, 5_000_000_000, 86_400_000_000_000]);
        let bytes = STANDARD.decode(original.encoded().unwrap()).unwrap();
        let read: Histogram<u64> = Deserializer::new().deserialize(&mut bytes.as_slice()).unwrap();
        assert_eq!(read, original.histogram);
    }

    #[test]
    fn only_new_words_are_read_and_half_a_word_is_an_error() {
        let mut file = TimesFile::new(None).unwrap();
        assert!(file.appended().unwrap().is_empty());
        let mut driver = File::options().append(true).open(file.path()).unwrap();
        driver.write_all(&7_u64.to_le_bytes()).unwrap();
        assert_eq!(file.appended().unwrap(), [7]);
        driver.write_all(&[8_u64.to_le_bytes(), 9_u64.to_le_bytes()].concat()).unwrap();
        assert_eq!(file.appended().unwrap(), [8, 9]);
        driver.write_all(&[1, 2, 3]).unwrap();
        assert_eq!(file.appended().unwrap_err().kind(), io::ErrorKind::InvalidData);
        let path = file.path().to_owned();
        drop(file);
        assert!(!path.exists() && !path.parent().unwrap().exists());
    }
}
