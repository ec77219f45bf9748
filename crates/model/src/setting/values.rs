//! Values of settings, and the settings of a variant that differ from their defaults.

use super::Setting;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The value of a setting.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum SettingValue {
    /// A count or a number of bytes.
    Number(u64),
    /// A word or a text.
    Text(String),
}

impl fmt::Display for SettingValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

impl From<&str> for SettingValue {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

/// Settings that differ from their defaults.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Settings(BTreeMap<Setting, SettingValue>);

impl Settings {
    /// Sets one; its default is not kept.
    pub fn set(&mut self, setting: Setting, value: SettingValue) {
        if value == setting.default_value() {
            self.0.remove(&setting);
        } else {
            self.0.insert(setting, value);
        }
    }

    /// The value of one.
    pub fn value(&self, setting: Setting) -> SettingValue {
        self.0.get(&setting).cloned().unwrap_or_else(|| setting.default_value())
    }

    /// The value of one that is a number; 0 for those that are not.
    pub fn number(&self, setting: Setting) -> u64 {
        match self.value(setting) {
            SettingValue::Number(number) => number,
            SettingValue::Text(_) => 0,
        }
    }

    /// The value of one as text.
    pub fn text(&self, setting: Setting) -> String {
        self.value(setting).to_string()
    }

    /// Those that differ from their defaults, in the order of labels.
    pub fn iter(&self) -> impl Iterator<Item = (Setting, &SettingValue)> {
        self.0.iter().map(|(setting, value)| (*setting, value))
    }

    /// True when all have their defaults.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_default_is_not_kept() {
        let mut settings = Settings::default();
        settings.set(Setting::Threads, SettingValue::Number(4));
        assert_eq!(settings.number(Setting::Threads), 4);
        assert_eq!(serde_json::to_string(&settings).unwrap(), r#"{"threads":4}"#);
        settings.set(Setting::Threads, SettingValue::Number(1));
        assert!(settings.is_empty());
        assert_eq!(settings.text(Setting::ReadAhead), "device");
    }
}
