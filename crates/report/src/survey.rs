//! Many records in one page of bounded size: a row for each measurement over all records and hosts,
//! instead of a section for each record. Records are looked at one after the other and not kept.

use crate::document::{Block, Cell, Column, ColumnKind, Document, Row, Section, Table};
use crate::html;
use crate::identity::identities;
use crate::markdown::{self, Purpose};
use crate::quantity::{grouped, short_time, things};
use fathom_model::Record;
use fathom_stats::median;
use std::collections::{BTreeMap, BTreeSet};

/// Machines that are named; more are counted.
const MACHINES_MAX: usize = 4;

/// What was seen of all records so far.
#[derive(Debug, Default)]
pub struct Survey {
    records: BTreeSet<String>,
    hosts: BTreeMap<String, u32>,
    dates: BTreeSet<String>,
    machines: BTreeSet<String>,
    incomplete: BTreeSet<String>,
    unmeasured: u64,
    measurements: BTreeMap<String, Measurement>,
}

/// One measurement over all records: what a record kept of it, and of which host it is.
#[derive(Debug, Default)]
struct Measurement {
    times: Vec<(u32, f64)>,
    without_interval: u64,
}

impl Survey {
    /// Looks at a record, or at one experiment of it: `id` is the same for all parts of one record.
    pub fn add(&mut self, id: &str, host: &str, record: &Record) {
        self.records.insert(id.to_owned());
        if !record.complete {
            self.incomplete.insert(id.to_owned());
        }
        let number = u32::try_from(self.hosts.len()).unwrap_or(u32::MAX);
        let host = *self.hosts.entry(host.to_owned()).or_insert(number);
        self.dates.insert(record.created.split('T').next().unwrap_or_default().to_owned());
        let environment = &record.environment;
        let cpu = environment.cpu_model.value().map(|cpu| format!(", {cpu}")).unwrap_or_default();
        self.machines.insert(format!("Linux {}{cpu}", environment.kernel));
        let mut seen = BTreeMap::new();
        for experiment in &record.experiments {
            self.unmeasured += experiment.unmeasured.len() as u64;
            for comparison in &experiment.comparisons {
                let names = identities(record, experiment, comparison, &mut seen);
                for (name, summary) in names.iter().zip(&comparison.summaries) {
                    let Some(summary) = summary.value() else { continue };
                    let measurement = self.measurements.entry(name.name()).or_default();
                    measurement.times.push((host, summary.time_ns.value));
                    measurement.without_interval += u64::from(summary.time_ns.interval().is_none());
                }
            }
        }
    }

    /// How many records were looked at.
    pub fn records(&self) -> usize {
        self.records.len()
    }

    /// The page.
    pub fn html(&self) -> String {
        html::render(&self.document(), &[])
    }

    /// The same as Markdown.
    pub fn markdown(&self) -> String {
        markdown::render(&self.document(), Purpose::Page)
    }

    fn document(&self) -> Document {
        let of_hosts = things(self.hosts.len() as u64, "host");
        let records = things(self.records.len() as u64, "record");
        let section = |id: &str, title: &str, table| Section {
            id: id.to_owned(),
            title: title.to_owned(),
            blocks: vec![Block::Table(table)],
            sections: Vec::new(),
        };
        Document {
            title: format!("{records} of {of_hosts}"),
            subtitle: self.subtitle(),
            answer: self.sentences().into_iter().map(Into::into).collect(),
            lead: None,
            sections: vec![
                section("measurements", "Every measurement", self.table()),
                section("hosts", "Hosts", self.hosts_table()),
            ],
        }
    }

    fn subtitle(&self) -> String {
        let (first, last) = (self.dates.first(), self.dates.last());
        let days = match (first, last) {
            (Some(first), Some(last)) if first != last => format!("{first} to {last}"),
            (Some(only), _) => only.clone(),
            _ => "at no time".to_owned(),
        };
        let named: Vec<_> = self.machines.iter().take(MACHINES_MAX).map(String::as_str).collect();
        let more = match self.machines.len().saturating_sub(MACHINES_MAX) {
            0 => String::new(),
            more => format!("; and {more} more kinds of machines"),
        };
        format!("Measured {days} on {}{more}", named.join("; "))
    }

    fn sentences(&self) -> Vec<String> {
        let mut sentences = vec![format!(
            "{} in {} of {}.",
            things(self.measurements.len() as u64, "measurement"),
            things(self.records.len() as u64, "record"),
            things(self.hosts.len() as u64, "host"),
        )];
        if !self.incomplete.is_empty() {
            let incomplete = things(self.incomplete.len() as u64, "record");
            sentences.push(format!("{incomplete} incomplete: what was measured before counts here."));
        }
        if self.unmeasured > 0 {
            sentences.push(format!(
                "Not measured, for reasons in the records: {}.",
                things(self.unmeasured, "measurement")
            ));
        }
        sentences.push(
            "Times are medians over records of what each record has; they describe, and test nothing: \
             records of one host are not independent. The records are not inside this page."
                .to_owned(),
        );
        sentences
    }

    fn table(&self) -> Table {
        let columns = [
            ("measurement", ColumnKind::Name),
            ("records", ColumnKind::Figure),
            ("hosts", ColumnKind::Figure),
            ("median", ColumnKind::Figure),
            ("least", ColumnKind::Figure),
            ("most", ColumnKind::Figure),
            ("slowest host", ColumnKind::Words),
            ("\u{d7} median", ColumnKind::Figure),
            ("without interval", ColumnKind::Figure),
        ];
        Table {
            caption: "Time per operation of each measurement, over all records".into(),
            columns: columns.map(|(heading, kind)| Column::new(heading, kind)).into(),
            rows: self.measurements.iter().map(|(name, measurement)| self.row(name, measurement)).collect(),
            interactive: true,
        }
    }

    fn row(&self, name: &str, measurement: &Measurement) -> Row {
        let times: Vec<f64> = measurement.times.iter().map(|(_, ns)| *ns).collect();
        let middle = median(&times).unwrap_or(f64::NAN);
        let least = times.iter().copied().fold(f64::INFINITY, f64::min);
        let most = times.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut by_host: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
        for (host, ns) in &measurement.times {
            by_host.entry(*host).or_default().push(*ns);
        }
        let hosts = by_host.len();
        let of_hosts = by_host.into_iter().filter_map(|(host, times)| Some((host, median(&times)?)));
        let slowest = of_hosts.max_by(|a, b| a.1.total_cmp(&b.1)).filter(|_| hosts > 1);
        let count = |count: u64| Cell::figure(grouped(count), Some(count as f64));
        let time = |ns: f64| Cell::figure(short_time(ns), Some(ns));
        let (slowest, times_median) = match slowest {
            Some((host, ns)) => {
                let ratio = ns / middle;
                (Cell::words(self.host_name(host)), Cell::figure(format!("{ratio:.2}"), Some(ratio)))
            }
            None => (Cell::words("-"), Cell::words("-")),
        };
        let cells = vec![
            Cell::words(name),
            count(times.len() as u64),
            count(hosts as u64),
            time(middle),
            time(least),
            time(most),
            slowest,
            times_median,
            count(measurement.without_interval),
        ];
        Row { cells, ..Row::default() }
    }

    fn host_name(&self, number: u32) -> &str {
        let found = self.hosts.iter().find(|(_, known)| **known == number);
        found.map_or("unknown", |(name, _)| name)
    }

    /// How often each host is the slowest, and how it does beside all in the middle.
    fn hosts_table(&self) -> Table {
        let mut ratios: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
        for measurement in self.measurements.values() {
            let times: Vec<f64> = measurement.times.iter().map(|(_, ns)| *ns).collect();
            let Some(middle) = median(&times).filter(|&middle| middle > 0.0) else { continue };
            for (host, ns) in &measurement.times {
                ratios.entry(*host).or_default().push(ns / middle);
            }
        }
        let row = |(name, number): (&String, &u32)| {
            let of_host = ratios.get(number).map_or(&[][..], Vec::as_slice);
            let middle = median(of_host);
            let cells = vec![
                Cell::words(name.as_str()),
                Cell::figure(grouped(of_host.len() as u64), Some(of_host.len() as f64)),
                Cell::figure(middle.map_or("-".to_owned(), |ratio| format!("{ratio:.2}")), middle),
            ];
            Row { cells, ..Row::default() }
        };
        let columns = [
            ("host", ColumnKind::Name),
            ("values", ColumnKind::Figure),
            ("\u{d7} median", ColumnKind::Figure),
        ];
        Table {
            caption: "Each host beside all: the median of its times over those of all records".into(),
            columns: columns.map(|(heading, kind)| Column::new(heading, kind)).into(),
            rows: self.hosts.iter().map(row).collect(),
            interactive: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_testkit::all;

    #[test]
    fn a_slow_host_is_named_and_records_are_counted_once() {
        let (_, record) = all().into_iter().find(|(_, record)| !record.experiments.is_empty()).unwrap();
        let mut slow = record.clone();
        let comparisons = slow.experiments.iter_mut().flat_map(|experiment| &mut experiment.comparisons);
        for summary in comparisons.flat_map(|comparison| &mut comparison.summaries) {
            if let fathom_model::Reading::Value(summary) = summary {
                summary.time_ns.value *= 3.0;
            }
        }
        slow.complete = false;
        let mut survey = Survey::default();
        for number in 0..4 {
            survey.add(&number.to_string(), "fast", &record);
        }
        // Two parts of one record.
        survey.add("4", "slow", &slow);
        survey.add("4", "slow", &Record { experiments: Vec::new(), ..slow.clone() });
        let text = survey.markdown();
        assert_eq!(survey.records(), 5);
        assert!(text.contains("5 records of 2 hosts") && text.contains("1 record incomplete"), "{text}");
        let row = text.lines().find(|line| line.contains("| slow |") && line.contains("3.00"));
        assert!(row.is_some(), "{text}");
        assert!(survey.html().contains("slowest host"));
    }

    #[test]
    fn one_host_is_not_the_slowest() {
        let (_, record) = all().into_iter().find(|(_, record)| !record.experiments.is_empty()).unwrap();
        let mut survey = Survey::default();
        survey.add("0", "only", &record);
        assert!(!survey.markdown().contains("| only | 1.00 |"));
    }
}
