//! Settings as experiments and command lines give them: one value or several
//! to be combined, each checked against its setting's kind.

use crate::error::{CatalogError, Located, Origin, Problem};
use crate::size::{format_size, size_at};
use crate::suggestion::hint_for;
use crate::toml_reader::{Item, TableReader};
use crate::words::Word;
use fathom_model::{Setting, SettingKind, SettingValue};
use std::collections::BTreeMap;
use toml::de::DeValue;

/// The values chosen for each setting that is not left alone.
pub(crate) type SettingChoices = BTreeMap<Setting, Vec<Located<SettingValue>>>;

impl Word for Setting {
    const KIND: &'static str = "setting";
    const WORDS: &'static [(Self, &'static str)] = &{
        let mut words = [(Self::Threads, ""); Self::ALL.len()];
        let mut at = 0;
        while at < words.len() {
            words[at] = (Self::ALL[at], Self::ALL[at].word());
            at += 1;
        }
        words
    };
}

/// Takes every setting out of a table: `threads = 4` or `threads = [1, 4]`.
pub(crate) fn read_settings(table: &TableReader<'_>) -> Result<SettingChoices, CatalogError> {
    let mut choices = SettingChoices::new();
    for setting in Setting::ALL {
        let Some(item) = table.take(setting.word()) else { continue };
        let values = match item.value() {
            DeValue::Array(_) => {
                item.list()?.iter().map(|item| read_value(setting, item)).collect::<Result<Vec<_>, _>>()?
            }
            _ => vec![read_value(setting, &item)?],
        };
        choices.insert(setting, each_once(setting, values)?);
    }
    Ok(choices)
}

/// The settings that a published figure holds for, each with one value.
pub(crate) fn read_settings_of_figure(
    table: &TableReader<'_>,
) -> Result<BTreeMap<Setting, SettingValue>, CatalogError> {
    let mut settings = BTreeMap::new();
    for setting in Setting::ALL {
        // A figure's `operations` says of how many it is the sum.
        if setting == Setting::Operations {
            continue;
        }
        if let Some(item) = table.take(setting.word()) {
            settings.insert(setting, read_value(setting, &item)?.value);
        }
    }
    Ok(settings)
}

/// The settings of the command line: `threads=1,4`.
pub(crate) fn parse_settings(
    option: &'static str,
    written: &[(String, String)],
) -> Result<SettingChoices, CatalogError> {
    let mut choices = SettingChoices::new();
    let origin = Origin::Option(option);
    for (name, values) in written {
        let word = Located::new(name.clone(), &origin);
        let setting: Setting = crate::words::read_word(&word)?.value;
        // A text may hold commas.
        let texts: Vec<&str> = match setting.kind() {
            SettingKind::Text if matches!(setting, Setting::Environment | Setting::Pattern) => {
                vec![values.as_str()]
            }
            _ => values.split(',').collect(),
        };
        let parsed = texts.into_iter().map(|text| parse_value(setting, text, &origin));
        let parsed = each_once(setting, parsed.collect::<Result<_, _>>()?)?;
        if choices.insert(setting, parsed).is_some() {
            return Err(word.error(Problem::Repeated("setting", name.clone()), None));
        }
    }
    Ok(choices)
}

/// A value in the words in which it is compared and looked up as a baseline.
pub(crate) fn value_text(setting: Setting, value: &SettingValue) -> String {
    match (setting.kind(), value) {
        (SettingKind::Size(_), SettingValue::Number(bytes)) => format_size(*bytes),
        _ => value.to_string(),
    }
}

fn read_value(setting: Setting, item: &Item<'_>) -> Result<Located<SettingValue>, CatalogError> {
    match setting.kind() {
        SettingKind::Count(least, most) => {
            let number = item.whole_number(least, most)?;
            Ok(Located::new(SettingValue::Number(number.value), &number.origin))
        }
        // Read-ahead is a number of KiB, or a word.
        SettingKind::Text if matches!(item.value(), DeValue::Integer(_)) => {
            let number = item.whole_number(0, u64::from(u32::MAX))?;
            parse_value(setting, &number.value.to_string(), &number.origin)
        }
        SettingKind::Text => match item.value() {
            // No variable at all is a value too.
            DeValue::String(text) if text.is_empty() => Ok(Located::new("".into(), &item.origin())),
            _ => item.text().and_then(|text| parse_value(setting, &text.value, &text.origin)),
        },
        SettingKind::Size(_) | SettingKind::Words(_) => {
            let text = item.text()?;
            parse_value(setting, &text.value, &text.origin)
        }
    }
}

fn parse_value(setting: Setting, text: &str, origin: &Origin) -> Result<Located<SettingValue>, CatalogError> {
    let out_of_range = || {
        let problem = Problem::OutOfRange(setting.word().to_owned(), text.to_owned());
        CatalogError::new(origin, problem, None)
    };
    let value = match setting.kind() {
        SettingKind::Count(least, most) => {
            let number = text.parse::<u64>().map_err(|_| {
                let problem = Problem::UnknownWord("number", text.to_owned());
                CatalogError::new(origin, problem, Some(format!("`{setting}` takes a whole number")))
            })?;
            if !(least..=most).contains(&number) {
                return Err(out_of_range());
            }
            SettingValue::Number(number)
        }
        SettingKind::Size(most) => {
            let bytes = size_at(text, origin)?;
            if bytes > most {
                return Err(out_of_range());
            }
            SettingValue::Number(bytes)
        }
        SettingKind::Words(words) => {
            if !words.contains(&text) {
                let problem = Problem::UnknownWord(setting.word(), text.to_owned());
                return Err(CatalogError::new(origin, problem, hint_for(text, words)));
            }
            text.into()
        }
        SettingKind::Text => {
            check_text(setting, text, origin)?;
            text.into()
        }
    };
    Ok(Located::new(value, origin))
}

fn check_text(setting: Setting, text: &str, origin: &Origin) -> Result<(), CatalogError> {
    let fail = |hint: &str| {
        let problem = Problem::UnknownWord(setting.word(), text.to_owned());
        Err(CatalogError::new(origin, problem, Some(hint.to_owned())))
    };
    match setting {
        Setting::ReadAhead if text != "device" && text.parse::<u32>().is_err() => {
            fail("a number of KiB, or `device`")
        }
        Setting::Environment if text.split_whitespace().any(|word| !word.contains('=')) => {
            fail("assignments between spaces: `GOMAXPROCS=2 OTHER=x`")
        }
        Setting::Pattern if text.is_empty() || text.chars().any(|c| c.is_control() || c == '\u{fffd}') => {
            fail("one character or more, none of them a control character: a line has none")
        }
        Setting::Pattern
            if (1..text.len()).any(|from| text.as_bytes().starts_with(&text.as_bytes()[from..])) =>
        {
            fail("a text whose end is its beginning can be counted in several ways")
        }
        _ => Ok(()),
    }
}

fn each_once(
    setting: Setting,
    values: Vec<Located<SettingValue>>,
) -> Result<Vec<Located<SettingValue>>, CatalogError> {
    let repeated = (1..values.len()).find(|&at| values[..at].iter().any(|v| v.value == values[at].value));
    match repeated {
        Some(at) => {
            let problem = Problem::Repeated(setting.word(), values[at].value.to_string());
            Err(values[at].error(problem, None))
        }
        None => Ok(values),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(name: &str, values: &str) -> Result<SettingChoices, String> {
        parse_settings("--set", &[(name.to_owned(), values.to_owned())]).map_err(|error| error.to_string())
    }

    fn values(name: &str, text: &str) -> Vec<String> {
        let choices = parsed(name, text).unwrap();
        choices.values().flatten().map(|value| value.value.to_string()).collect()
    }

    #[test]
    fn values_are_of_their_settings_kind() {
        assert_eq!(values("threads", "1,4"), ["1", "4"]);
        assert_eq!(values("write", "10 B,4KiB"), ["10", "4096"]);
        assert_eq!(values("existing", "fresh,data"), ["fresh", "data"]);
        assert_eq!(values("read-ahead", "device,128"), ["device", "128"]);
        assert_eq!(values("environment", "A=1,2 B=x"), ["A=1,2 B=x"]);
    }

    #[test]
    fn mistakes_are_named() {
        for (name, text, message) in [
            ("treads", "1", "--set: unknown setting `treads`"),
            ("threads", "0", "--set: `threads` is out of range: 0"),
            ("threads", "many", "--set: unknown number `many`"),
            ("threads", "2,2", "--set: threads `2` is listed twice"),
            ("existing", "new", "--set: unknown existing `new`"),
            ("write", "10k", "--set: `10k` is no size: its unit is none of B, KiB, MiB, GiB, TiB"),
            ("read-ahead", "much", "--set: unknown read-ahead `much`"),
            ("environment", "A", "--set: unknown environment `A`"),
        ] {
            assert_eq!(parsed(name, text).unwrap_err(), message);
        }
    }
}
