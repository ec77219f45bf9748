//! Words that look like passwords, tokens or keys. What issuers give their tokens to be known by is
//! a table; its patterns follow the rules of gitleaks (config/gitleaks.toml, MIT license) and the
//! issuers' own descriptions, and are written anew. Everything else is known by the name before it.

use regex::{Captures, Match, Regex};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// What stands for a secret, before its number.
const PLACEHOLDER: &str = "REDACTED-";
/// Shorter words stand elsewhere by chance: they are replaced only where they are known to be secret.
const UNIQUE_LETTERS_MIN: usize = 6;
/// A long word is no common one.
const LONG_LETTERS_MIN: usize = 16;

/// How sure a pattern is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trust {
    /// Nothing else looks like it.
    Sure,
    /// Nothing else, unless it is a path or a small number: `--token=/run/secrets/token`.
    Named,
    /// A sentence may look like it: `token: unexpected`.
    Likely,
}

/// Names before secrets.
const KEY: &str = "(?:password|passwd|passphrase|[_-]pwd|secret|token|api[_-]?key|access[_-]?key(?:[_-]?id)?|private[_-]?key|secret[_-]?key|signing[_-]?key|encryption[_-]?key|auth[_-]?key|account[_-]?key|credentials?)";

/// A value behind its name, in quotation marks or up to what ends a word.
const VALUE: &str = r#"(?:"(?P<in_double>[^"]+)"|'(?P<in_single>[^']+)'|(?P<secret>[^\s"'&,;)}\]]+))"#;

/// Each with the secret as its group `secret`; `KEY` and `VALUE` stand for what is above.
const PATTERNS: [(Trust, &str); 21] = [
    // AWS: identifiers of access keys.
    (Trust::Sure, r"\b(?P<secret>(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16})\b"),
    // GitHub.
    (Trust::Sure, r"\b(?P<secret>gh[pousr]_[A-Za-z0-9]{10,}|github_pat_[A-Za-z0-9_]{20,})"),
    // GitLab.
    (Trust::Sure, r"\b(?P<secret>gl(?:pat|dt|rt|cbt|ptt|oas|soat|ft)-[A-Za-z0-9_.-]{20,})"),
    // Slack.
    (Trust::Sure, r"\b(?P<secret>xox[abeoprs]-[A-Za-z0-9-]{10,})"),
    // Stripe.
    (Trust::Sure, r"\b(?P<secret>[rs]k_(?:live|test|prod)_[A-Za-z0-9]{10,})"),
    // Google.
    (Trust::Sure, r"\b(?P<secret>AIza[A-Za-z0-9_-]{35})"),
    // OpenAI, Anthropic.
    (Trust::Sure, r"\b(?P<secret>sk-(?:ant-|proj-|svcacct-|admin-|api03-)*[A-Za-z0-9_]{20}[A-Za-z0-9_-]*)"),
    // npm, PyPI, Hugging Face, DigitalOcean, Docker.
    (Trust::Sure, r"\b(?P<secret>npm_[A-Za-z0-9]{36}|pypi-[A-Za-z0-9_-]{50,}|hf_[A-Za-z]{34})\b"),
    (Trust::Sure, r"\b(?P<secret>do[opr]_v1_[a-f0-9]{64}|dckr_pat_[A-Za-z0-9_-]{20,})"),
    // JSON web tokens.
    (Trust::Sure, r"\b(?P<secret>eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]*)?)"),
    // Private keys.
    (Trust::Sure, r"(?s)-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----(?P<secret>.+?)(?:-----END|$)"),
    // Headers of HTTP.
    (
        Trust::Sure,
        r#"(?i)\bauthorization["']?\s*[:=]\s*["']?(?:(?:basic|bearer|token|digest)\s+)?(?P<secret>[^\s"']{6,})"#,
    ),
    (Trust::Sure, r"\b[Bb]earer\s+(?P<secret>[A-Za-z0-9._~+/=-]{6,})"),
    (Trust::Sure, r#"(?i)\bcookie:\s*(?P<secret>[^"']{6,})"#),
    // Addresses with a password, or with a token for a user.
    (Trust::Sure, r#"[A-Za-z][A-Za-z0-9+.-]*://[^\s/:@"']*:(?P<secret>[^\s/@"']+)@"#),
    (Trust::Sure, r#"[A-Za-z][A-Za-z0-9+.-]*://(?P<secret>[^\s/:@"']{20,})@"#),
    // A command's user with a password: curl -u name:password.
    (Trust::Sure, r#"\bcurl\b.*?\s(?:-u|--user|-U|--proxy-user)[\s=]*["']?[^\s:"']+:(?P<secret>[^\s"']+)"#),
    // --password=X, API_TOKEN=X, "secret": "X".
    (Trust::Named, r#"(?i)KEY["']?\s?:?=>?\s?VALUE"#),
    (Trust::Named, r#"(?i)KEY["']\s?:\s?["'](?P<secret>[^"']+)"#),
    (Trust::Likely, r"(?i)KEY:\s*VALUE"),
    // --password X.
    (Trust::Named, r#"(?i)(?:^|[\s"'])--?(?:[a-z0-9]+[_-])*(?:KEY|pass|pw)\s+VALUE"#),
];

static TABLE: LazyLock<Vec<(Trust, Regex)>> = LazyLock::new(|| {
    let compiled = |(trust, pattern): (Trust, &str)| {
        // Names of issuers' own patterns are in capitals too.
        let pattern = if trust == Trust::Sure {
            pattern.to_owned()
        } else {
            pattern.replace("KEY", KEY).replace("VALUE", VALUE)
        };
        (trust, regex(&pattern))
    };
    PATTERNS.into_iter().map(compiled).collect()
});
/// An option whose next word is a secret.
static OPTION: LazyLock<Regex> =
    LazyLock::new(|| regex(&format!("(?i)^--?(?:[a-z0-9]+[_-])*(?:{KEY}|pass|pw)$")));
/// A name whose value is a secret.
static NAME: LazyLock<Regex> = LazyLock::new(|| regex(&format!("(?i){KEY}$")));

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the patterns are compiled by a test")
}

/// Secrets in the order in which they were found.
#[derive(Debug, Default)]
pub(super) struct Secrets {
    found: Vec<String>,
    used: BTreeSet<usize>,
}

impl Secrets {
    pub(super) fn forget_uses(&mut self) {
        self.used.clear();
    }

    /// What was replaced, in words.
    pub(super) fn uses(&self) -> Option<String> {
        let numbers: Vec<_> = self.used.iter().map(|number| format!("{PLACEHOLDER}{number}")).collect();
        match numbers.as_slice() {
            [] => None,
            [only] => Some(format!("a word that looks like a secret ({only})")),
            [first, .., last] => {
                Some(format!("{} words that look like secrets ({first} to {last})", numbers.len()))
            }
        }
    }

    /// Finds those that a text shows by itself.
    pub(super) fn learn(&mut self, text: &str) {
        for (trust, pattern) in TABLE.iter() {
            for found in pattern.captures_iter(text) {
                if let Some(secret) = secret_of(&found, *trust) {
                    self.add(secret.as_str());
                }
            }
        }
    }

    /// Finds those that words of a command show.
    pub(super) fn learn_words(&mut self, words: &[String]) {
        for at in behind_options(words) {
            self.add(&words[at]);
        }
    }

    pub(super) fn add(&mut self, secret: &str) {
        if !secret.is_empty()
            && !secret.starts_with(PLACEHOLDER)
            && !self.found.iter().any(|known| known == secret)
        {
            self.found.push(secret.to_owned());
        }
    }

    /// What stands for a whole word that is secret.
    pub(super) fn placeholder(&mut self, secret: &str) -> String {
        if secret.is_empty() || secret.starts_with(PLACEHOLDER) {
            return secret.to_owned();
        }
        self.add(secret);
        let at = self.found.iter().position(|known| known == secret).unwrap_or(self.found.len());
        self.used.insert(at + 1);
        format!("{PLACEHOLDER}{}", at + 1)
    }

    /// The text with all of them replaced: where it shows them, and wherever else a known one stands
    /// that is no common word.
    pub(super) fn replace(&mut self, text: &str) -> String {
        let mut text = text.to_owned();
        for (trust, pattern) in TABLE.iter() {
            let mut replaced = String::new();
            let mut done = 0;
            for found in pattern.captures_iter(&text) {
                let Some(secret) = secret_of(&found, *trust) else { continue };
                replaced += &text[done..secret.start()];
                replaced += &self.placeholder(secret.as_str());
                done = secret.end();
            }
            if done > 0 {
                replaced += &text[done..];
                text = replaced;
            }
        }
        let mut known: Vec<String> = self.found.iter().filter(|secret| is_unique(secret)).cloned().collect();
        known.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        for secret in known.iter().filter(|secret| !secret.is_empty()) {
            if text.contains(secret) {
                text = text.replace(secret, &self.placeholder(secret));
            }
        }
        text
    }
}

/// True of a name whose value is a secret: `API_TOKEN`.
pub(super) fn is_key(name: &str) -> bool {
    NAME.is_match(name)
}

/// Which words an option before them says to be secrets.
pub(super) fn behind_options(words: &[String]) -> BTreeSet<usize> {
    let behind = words.windows(2).enumerate().filter(|(_, pair)| {
        OPTION.is_match(&pair[0]) && !pair[1].starts_with('-') && is_secret(&pair[1], Trust::Named)
    });
    behind.map(|(at, _)| at + 1).collect()
}

fn secret_of<'a>(found: &Captures<'a>, trust: Trust) -> Option<Match<'a>> {
    let groups = ["secret", "in_double", "in_single"];
    let secret = groups.iter().find_map(|group| found.name(group))?;
    is_secret(secret.as_str(), trust).then_some(secret)
}

fn is_secret(word: &str, trust: Trust) -> bool {
    let is_path = ["/", "./", "../", "~"].iter().any(|start| word.starts_with(start)) && word.len() < 80;
    let is_reference = word.starts_with(['$', '<', '*', '%', '=', '-']) || word.starts_with(PLACEHOLDER);
    match trust {
        Trust::Sure => !word.starts_with(PLACEHOLDER),
        Trust::Named => !is_path && !is_reference && !is_switch(word),
        Trust::Likely => !is_path && !is_reference && is_random(word),
    }
}

/// True of values that say whether or how much, and give nothing away.
fn is_switch(word: &str) -> bool {
    matches!(word, "true" | "false" | "none" | "None" | "null" | "yes" | "no" | "on" | "off")
}

/// True of a word that no sentence holds.
fn is_random(word: &str) -> bool {
    let has = |kind: fn(&char) -> bool| word.chars().any(|letter| kind(&letter));
    word.len() >= 8 && has(char::is_ascii_digit) && has(char::is_ascii_alphabetic)
}

/// True of a word that stands nowhere by chance.
fn is_unique(word: &str) -> bool {
    let has_digit = word.chars().any(|letter| letter.is_ascii_digit());
    let has_other = word.chars().any(|letter| !letter.is_ascii_digit());
    word.len() >= LONG_LETTERS_MIN || (word.len() >= UNIQUE_LETTERS_MIN && has_digit && has_other)
}
