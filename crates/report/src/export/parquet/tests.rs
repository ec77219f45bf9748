use super::*;
use bytes::Bytes;
use fathom_model::{ArmKind, Comparison, Reading};
use fathom_testkit::{all, complete, troubled};
use parquet::basic::{Encoding, Type as PhysicalType};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};

fn reader(record: &Record) -> SerializedFileReader<Bytes> {
    SerializedFileReader::new(Bytes::from(export(record).unwrap())).unwrap()
}

fn rows(record: &Record) -> Vec<Row> {
    reader(record).get_row_iter(None).unwrap().map(Result::unwrap).collect()
}

fn cell<'a>(row: &'a Row, name: &str) -> &'a Field {
    row.get_column_iter().find(|(column, _)| *column == name).unwrap().1
}

fn number(row: &Row, name: &str) -> Option<i64> {
    match cell(row, name) {
        Field::Long(number) => Some(*number),
        Field::Null => None,
        other => panic!("{name} is {other}"),
    }
}

fn text<'a>(row: &'a Row, name: &str) -> &'a str {
    let Field::Str(text) = cell(row, name) else { panic!("{name} is no text") };
    text
}

fn comparisons(record: &Record) -> impl Iterator<Item = &Comparison> {
    record.experiments.iter().flat_map(|experiment| &experiment.comparisons)
}

/// Batches that were run or asked for, and their time, straight from the record.
fn counted(record: &Record) -> (usize, u64) {
    let mut total = (0, 0);
    for comparison in comparisons(record) {
        for fork in &comparison.forks {
            for (arm, samples) in comparison.arms.iter().zip(&fork.arms) {
                let is_loop = matches!(arm.kind, ArmKind::Loop(_));
                total.0 += samples.ns.iter().filter(|ns| !is_loop || ns.is_some()).count();
                total.1 += samples.ns.iter().flatten().sum::<u64>();
            }
        }
    }
    total
}

#[test]
fn there_is_a_row_per_sample_and_their_times_are_the_record_s() {
    let mut with_samples = 0;
    for (name, record) in all() {
        let (samples, ns) = counted(&record);
        if samples == 0 {
            assert!(matches!(export(&record), Err(ExportError::Nothing("no samples"))), "{name}");
            continue;
        }
        with_samples += 1;
        let rows = rows(&record);
        assert_eq!(rows.len(), samples, "{name}");
        let sum: i64 = rows.iter().filter_map(|row| number(row, "ns")).sum();
        assert_eq!(sum, i64::try_from(ns).unwrap(), "{name}");
    }
    assert!(with_samples > 3);
}

#[test]
fn a_void_sample_is_null_and_not_zero() {
    let mut record = complete();
    let comparison = &mut record.experiments[0].comparisons[0];
    let arm = comparison.arms.iter().position(|arm| arm.kind == ArmKind::Variant(1)).unwrap();
    let samples = &mut comparison.forks[1].arms[arm];
    samples.ns[2] = None;
    samples.totals.insert("nivcsw".to_owned(), 1);
    samples.preempted_blocks = vec![1];
    comparison.forks[1].cpu = Reading::unavailable("not pinned");
    let rows = rows(&record);
    let own = |row: &&Row| {
        text(row, "experiment") == "open-go"
            && text(row, "arm") == "variant"
            && number(row, "variant") == Some(1)
            && number(row, "fork") == Some(1)
    };
    let of_fork: Vec<_> = rows.iter().filter(own).collect();
    assert_eq!(of_fork.len(), 3);
    let preempted: Vec<_> = of_fork.iter().map(|row| cell(row, "preempted").clone()).collect();
    assert_eq!(preempted, [Field::Bool(false), Field::Bool(true), Field::Null]);
    assert!(number(of_fork[1], "ns").unwrap() > 0);
    for name in ["ns", "ns_per_operation", "cpu"] {
        assert_eq!(*cell(of_fork[2], name), Field::Null, "{name}");
    }
}

#[test]
fn times_per_operation_use_the_arm_s_own_operations() {
    let mut record = complete();
    let arms = record.experiments[0].comparisons[0].arms.clone();
    let arm = arms.iter().position(|arm| arm.kind == ArmKind::Variant(1)).unwrap();
    for fork in &mut record.experiments[0].comparisons[0].forks {
        fork.arms[arm].divisor = 4;
    }
    let rows = rows(&record);
    let slow = |row: &&Row| text(row, "method") == "go:os.Open" && text(row, "experiment") == "open-go";
    let of_arm: Vec<_> = rows.iter().filter(slow).collect();
    assert!(!of_arm.is_empty());
    for row in of_arm {
        assert_eq!(number(row, "operations"), Some(25), "a quarter of a hundred");
        let Field::Double(each) = cell(row, "ns_per_operation") else { panic!("no time") };
        assert!((each * 25.0 - number(row, "ns").unwrap() as f64).abs() < 1e-6);
    }
}

#[test]
fn a_loop_and_a_control_cannot_be_taken_for_the_variant() {
    let mut kinds = std::collections::BTreeSet::new();
    for (name, record) in all() {
        if counted(&record).0 == 0 {
            continue;
        }
        for row in rows(&record) {
            let kind = text(&row, "arm").to_owned();
            assert_eq!(*cell(&row, "name") == Field::Null, kind != "variant", "{name}");
            assert_eq!(text(&row, "operation") == "null", text(&row, "method").ends_with(":null"), "{name}");
            if kind == "loop" {
                assert_eq!(text(&row, "operation"), "null", "{name}");
            }
            if kind != "variant" {
                assert_eq!(*cell(&row, "baseline"), Field::Bool(false), "{name}");
            }
            kinds.insert(kind);
        }
    }
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), ["control", "loop", "variant"]);
}

#[test]
fn a_fault_of_the_control_stands_in_every_row_of_its_comparison() {
    let record = troubled();
    let faulty: usize =
        comparisons(&record).filter(|comparison| crate::standing::is_faulty(comparison)).count();
    assert!(faulty > 0);
    let rows = rows(&record);
    for (experiment, comparison) in
        record.experiments.iter().flat_map(|each| each.comparisons.iter().map(move |one| (each, one)))
    {
        let of = |row: &&Row| {
            text(row, "experiment") == experiment.name && text(row, "comparison") == comparison.label
        };
        let expected = Field::Bool(crate::standing::is_faulty(comparison));
        assert!(rows.iter().filter(of).all(|row| *cell(row, "control_fault") == expected));
    }
}

#[test]
fn the_file_says_where_it_comes_from() {
    let record = complete();
    let reader = reader(&record);
    let metadata = reader.metadata().file_metadata();
    let facts = metadata.key_value_metadata().unwrap();
    let fact = |key: &str| facts.iter().find(|fact| fact.key == key).unwrap().value.clone().unwrap();
    assert_eq!(fact("fathom.version"), record.fathom_version);
    assert_eq!(fact("fathom.schema_version"), record.schema_version.to_string());
    assert_eq!(fact("fathom.created"), record.created);
    assert_eq!(fact("fathom.seed"), record.seed);
    assert!(fact("fathom.machine").contains(&record.environment.kernel));
    assert_eq!(metadata.num_rows(), i64::try_from(counted(&record).0).unwrap());
}

#[test]
fn texts_are_in_dictionaries_and_times_are_not() {
    let reader = reader(&complete());
    for chunk in reader.metadata().row_group(0).columns() {
        let name = chunk.column_path().string();
        let encodings: Vec<Encoding> = chunk.encodings().collect();
        let in_dictionary = encodings.contains(&Encoding::RLE_DICTIONARY);
        let is_text = chunk.column_type() == PhysicalType::BYTE_ARRAY;
        assert!(!is_text || in_dictionary, "{name}: {encodings:?}");
        assert!(
            !["ns", "ns_per_operation"].contains(&name.as_str()) || !in_dictionary,
            "{name}: {encodings:?}"
        );
    }
}

#[test]
fn the_columns_are_those_of_the_document() {
    let document = include_str!("../../../../../docs/exporting.md");
    let documented: Vec<&str> = document
        .lines()
        .skip_while(|line| !line.starts_with("| column |"))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .flat_map(|line| line.split('|').nth(1).unwrap_or_default().split(','))
        .map(|name| name.trim().trim_matches('`'))
        .collect();
    assert_eq!(documented, COLUMNS.map(|column| column.name));
}
