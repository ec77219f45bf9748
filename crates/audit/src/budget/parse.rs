//! Reads a budget: SUBJECT OP NUMBER [per UNIT] [including loader].

use super::families::{call_named, calls_of, names};
use super::words::{Token, tokens};
use super::{Budget, BudgetError, Comparison, Ending, Glob, NamedBy, Names, Selection, Subject, Unit};
use crate::call_key::errno_of;
use crate::finding::RuleId;
use crate::rule_list::rule_facts;
use std::ops::Range;

/// Words that begin a subject and are no calls.
const OTHER_SUBJECTS: [&str; 6] = ["calls", "bytes", "findings", "processes", "price", "call"];

/// No budget of a person's is longer; an error repeats all of it.
const BYTES_MAX: usize = 4096;
/// How many letters of a longer one are shown.
const SHOWN_MAX: usize = 60;

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<(Token, Range<usize>)>,
    next: usize,
}

/// Reads a whole text.
pub(super) fn parse(text: &str) -> Result<Budget, BudgetError> {
    read(text, |parser, subject| Ok((parser.comparison()?, parser.number(subject)?)))
}

/// Reads what a budget is about, without what it allows: everything.
pub(super) fn parse_metric(text: &str) -> Result<Budget, BudgetError> {
    read(text, |parser, _| match parser.tokens.get(parser.next) {
        Some((Token::Sign(_), _)) => {
            parser.next += 1;
            Err(parser.error_before("a count is asked for, without a limit", None))
        }
        _ => Ok((Comparison::AtLeast, 0.0)),
    })
}

fn read(
    text: &str,
    limit: impl FnOnce(&mut Parser<'_>, &Subject) -> Result<(Comparison, f64), BudgetError>,
) -> Result<Budget, BudgetError> {
    if text.len() > BYTES_MAX {
        let begin: String = text.chars().take(SHOWN_MAX).collect();
        return Err(BudgetError::new(&begin, 0..0, &format!("a budget is at most {BYTES_MAX} B long"), None));
    }
    let mut parser = Parser { text, tokens: tokens(text)?, next: 0 };
    let mut subject = parser.subject()?;
    let (comparison, limit) = limit(&mut parser, &subject)?;
    let (mut per, mut includes_loader) = (None, false);
    if parser.takes("per") {
        if !matches!(subject, Subject::Calls(..) | Subject::Bytes { .. }) {
            return Err(parser.error_before("only calls and bytes are counted per something", None));
        }
        per = Some(parser.unit()?);
    }
    if parser.takes("including") {
        if !parser.takes("loader") {
            return Err(parser.expected("`loader`"));
        }
        includes_loader = true;
    }
    if parser.next < parser.tokens.len() {
        return Err(parser.expected("`per`, `including loader` or the end"));
    }
    // What is counted per file is what is done with such files.
    if let (Subject::Calls(selection) | Subject::Bytes { of: selection, .. }, Some(Unit::Calls(unit))) =
        (&mut subject, &per)
        && selection.path.is_none()
    {
        selection.path.clone_from(&unit.path);
    }
    let text = text.trim().to_owned();
    Ok(Budget { text, written_at: None, subject, comparison, limit, per, includes_loader })
}

impl Parser<'_> {
    fn subject(&mut self) -> Result<Subject, BudgetError> {
        let word = self.word("a call, a family of calls, or a count")?;
        Ok(match word.as_str() {
            "bytes" => {
                let written = match self.word("`read` or `written`")?.as_str() {
                    "read" => false,
                    "written" => true,
                    _ => return Err(self.error_before("after `bytes` comes `read` or `written`", None)),
                };
                let calls = if written { "write" } else { "read" };
                let calls = calls_of(calls).into_iter().chain(calls_of("copy")).flatten().collect();
                let path = self.pattern()?;
                Subject::Bytes {
                    of: Selection { calls: Names::These(calls), path, named_by: None, ending: Ending::Any },
                    written,
                }
            }
            "findings" => Subject::Findings(None),
            "processes" => Subject::Processes,
            "price" => Subject::Price,
            word if is_rule(word) => {
                let rule = RuleId::try_from(word.to_owned()).ok();
                if !rule.is_some_and(|rule| rule_facts().iter().any(|facts| facts.id == rule)) {
                    let hint = "`fathom audit --rules` lists them".to_owned();
                    return Err(self.error_before(&format!("there is no rule {word} yet"), Some(hint)));
                }
                let _counted = self.takes("findings");
                Subject::Findings(rule)
            }
            word => {
                let mut selection = self.selection(word)?;
                selection.ending = self.ending()?;
                Subject::Calls(selection)
            }
        })
    }

    fn selection(&mut self, word: &str) -> Result<Selection, BudgetError> {
        let calls = if word == "calls" {
            Names::All
        } else if word == "call" {
            let name = self.word("the name of a call")?;
            match call_named(&name) {
                Some(call) => Names::These(vec![call]),
                None => return Err(self.unknown(&name)),
            }
        } else if let Some(calls) = calls_of(word) {
            Names::These(calls)
        } else if let Some(call) = call_named(word) {
            Names::These(vec![call])
        } else {
            return Err(self.unknown(word));
        };
        Ok(Selection { calls, path: self.pattern()?, named_by: self.named_by()?, ending: Ending::Any })
    }

    fn named_by(&mut self) -> Result<Option<NamedBy>, BudgetError> {
        if !self.takes("by") {
            return Ok(None);
        }
        match self.word("`path` or `descriptor`")?.as_str() {
            "path" => Ok(Some(NamedBy::Path)),
            "descriptor" => Ok(Some(NamedBy::Descriptor)),
            _ => Err(self.error_before("after `by` comes `path` or `descriptor`", None)),
        }
    }

    fn ending(&mut self) -> Result<Ending, BudgetError> {
        let Some((Token::Word(word), _)) = self.tokens.get(self.next) else { return Ok(Ending::Any) };
        // Of a metric, which has no sign and number between.
        if ["per", "including"].contains(&word.as_str()) {
            return Ok(Ending::Any);
        }
        let word = word.clone();
        self.next += 1;
        if word == "failures" {
            return Ok(Ending::Failed(None));
        }
        if let Some(errno) = errno_of(&word) {
            return Ok(Ending::Failed(Some(errno)));
        }
        let hint = "`failures`, or an errno such as `ENOENT`".to_owned();
        Err(self.error_before(&format!("`{word}` is not understood here"), Some(hint)))
    }

    fn comparison(&mut self) -> Result<Comparison, BudgetError> {
        let sign = match self.tokens.get(self.next) {
            Some((Token::Sign(sign), _)) => *sign,
            _ => return Err(self.expected("`<=`, `<`, `>=`, `>` or `==`")),
        };
        self.next += 1;
        match sign {
            "<=" => Ok(Comparison::AtMost),
            "<" => Ok(Comparison::Below),
            ">=" => Ok(Comparison::AtLeast),
            ">" => Ok(Comparison::Above),
            "==" => Ok(Comparison::Equal),
            _ => Err(self.error_before("`=` is not understood here", Some("did you mean `==`?".to_owned()))),
        }
    }

    /// A number with the unit of what it limits, glued to it or after it.
    fn number(&mut self, subject: &Subject) -> Result<f64, BudgetError> {
        let word = self.word("a number")?;
        let end = word.find(|c: char| !c.is_ascii_digit() && c != '.' && c != '_').unwrap_or(word.len());
        let number: Option<f64> = word[..end].replace('_', "").parse().ok().filter(|n: &f64| n.is_finite());
        let Some(number) = number else {
            return Err(self.error_before(&format!("`{word}` is no number"), None));
        };
        let units: &[(&str, f64)] = match subject {
            Subject::Price => &[("ns", 1.0), ("us", 1e3), ("µs", 1e3), ("ms", 1e6), ("s", 1e9)],
            Subject::Bytes { .. } => &[
                ("B", 1.0),
                ("kB", 1e3),
                ("MB", 1e6),
                ("GB", 1e9),
                ("KiB", 1024.0),
                ("MiB", 1_048_576.0),
                ("GiB", 1_073_741_824.0),
            ],
            _ => &[],
        };
        let glued = Some(word[end..].to_owned()).filter(|unit| !unit.is_empty());
        let following = match self.tokens.get(self.next) {
            Some((Token::Word(word), _))
                if glued.is_none() && !["per", "including"].contains(&word.as_str()) =>
            {
                self.next += 1;
                Some(word.clone())
            }
            _ => None,
        };
        let Some(unit) = glued.or(following) else {
            return if matches!(subject, Subject::Price) {
                Err(self.error_before("a price has a unit", Some("`price < 5 ms`".to_owned())))
            } else {
                Ok(number)
            };
        };
        let factor = units.iter().find(|(name, _)| *name == unit).map(|(_, factor)| factor);
        factor.map(|factor| number * factor).ok_or_else(|| {
            let known: Vec<_> = units.iter().map(|(name, _)| format!("`{name}`")).collect();
            let hint = (!known.is_empty()).then(|| format!("one of {}", known.join(", ")));
            self.error_before(&format!("`{unit}` is no unit of this"), hint)
        })
    }

    fn unit(&mut self) -> Result<Unit, BudgetError> {
        let word = self.word("what it is counted per: `open(*.json)`, `process`")?;
        if word == "process" {
            return Ok(Unit::Process);
        }
        Ok(Unit::Calls(Selection { ending: Ending::Succeeded, ..self.selection(&word)? }))
    }

    fn pattern(&mut self) -> Result<Option<Glob>, BudgetError> {
        let Some((Token::Pattern(pattern), _)) = self.tokens.get(self.next) else { return Ok(None) };
        let pattern = pattern.clone();
        self.next += 1;
        Glob::new(&pattern)
            .map(Some)
            .map_err(|error| self.error_before(&format!("this is no pattern: {error}"), None))
    }

    fn word(&mut self, expected: &str) -> Result<String, BudgetError> {
        let Some((Token::Word(word), _)) = self.tokens.get(self.next) else {
            return Err(self.expected(expected));
        };
        let word = word.clone();
        self.next += 1;
        Ok(word)
    }

    fn takes(&mut self, keyword: &str) -> bool {
        let is_it = matches!(self.tokens.get(self.next), Some((Token::Word(word), _)) if word == keyword);
        self.next += usize::from(is_it);
        is_it
    }

    fn unknown(&self, word: &str) -> BudgetError {
        let most = (word.len() / 3).max(1);
        // So many edits it takes at least; words without end are not compared letter by letter.
        let known = names().chain(OTHER_SUBJECTS).filter(|name| name.len().abs_diff(word.len()) <= most);
        let near = known
            .map(|name| (strsim::damerau_levenshtein(word, name), name))
            .filter(|(edits, _)| *edits <= most)
            .min_by_key(|(edits, _)| *edits);
        let hint = match near {
            Some((_, name)) => format!("did you mean `{name}`?"),
            None => "names are the kernel's (`newfstatat`) or of a family (`stat`); see docs/budgets.md"
                .to_owned(),
        };
        self.error_before(&format!("`{word}` is no call on the file path"), Some(hint))
    }

    /// An error at the next token.
    fn expected(&self, what: &str) -> BudgetError {
        let end = self.text.len();
        let at = self.tokens.get(self.next).map_or(end..end, |(_, at)| at.clone());
        BudgetError::new(self.text, at, &format!("expected {what}"), None)
    }

    /// An error at the token that was taken last.
    fn error_before(&self, problem: &str, hint: Option<String>) -> BudgetError {
        let at = self.next.checked_sub(1).and_then(|last| self.tokens.get(last));
        BudgetError::new(self.text, at.map_or(0..0, |(_, at)| at.clone()), problem, hint)
    }
}

/// `R13`.
fn is_rule(word: &str) -> bool {
    word.strip_prefix('R')
        .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
}
