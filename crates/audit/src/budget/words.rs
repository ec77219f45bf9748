//! The words of a budget: what stands in it, and where.

use super::BudgetError;
use std::ops::Range;

/// A piece of a budget's text.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    /// A name, a keyword, or a number with or without its unit.
    Word(String),
    /// What stands in parentheses, as it is.
    Pattern(String),
    /// `<`, `<=` …
    Sign(&'static str),
}

const SIGNS: [&str; 6] = ["<=", ">=", "==", "<", ">", "="];

/// Cuts a text into tokens with their places in it.
pub(super) fn tokens(text: &str) -> Result<Vec<(Token, Range<usize>)>, BudgetError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | 'µ');
        let (token, length) = if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        } else if let Some(sign) = SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
            (Token::Sign(sign), sign.len())
        } else if first == '(' {
            let end = closing(rest).ok_or_else(|| {
                BudgetError::new(text, at..text.len(), "this parenthesis is not closed", None)
            })?;
            let pattern = rest[1..end].trim();
            if pattern.is_empty() {
                return Err(BudgetError::new(text, at..at + end + 1, "a pattern is missing in `()`", None));
            }
            (Token::Pattern(pattern.to_owned()), end + 1)
        } else if is_word(first) {
            let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            (Token::Word(rest[..length].to_owned()), length)
        } else {
            let problem = format!("`{first}` is not understood here");
            return Err(BudgetError::new(text, at..at + first.len_utf8(), &problem, None));
        };
        tokens.push((token, at..at + length));
        at += length;
    }
    Ok(tokens)
}

/// Where the parenthesis that a text begins with is closed; patterns may have some inside.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_u32;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return Some(at),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}
