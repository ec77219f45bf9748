//! What short headings of tables stand for, said below the first table of a section that
//! has them: a title is not there on paper, nor under a finger.

use crate::document::Column;
use maud::{Markup, html};
use std::collections::BTreeSet;

/// What was said already where a reader has seen it. A copy goes into a fold, as what
/// is said in there is not seen outside.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Meanings {
    said: BTreeSet<(String, String)>,
}

impl Meanings {
    /// Those of a table's headings that were not said yet.
    pub(super) fn below(&mut self, columns: &[Column]) -> Markup {
        let meant = columns.iter().filter_map(|column| Some((&column.heading, column.meaning.as_ref()?)));
        let new: Vec<_> = meant
            .filter(|(heading, meaning)| self.said.insert(((*heading).clone(), (*meaning).clone())))
            .collect();
        html! {
            @if !new.is_empty() {
                dl.meanings {
                    @for (heading, meaning) in new {
                        div { dt { (heading) } " " dd { (meaning) } }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::ColumnKind;

    fn column(heading: &str, meaning: &str) -> Column {
        Column { meaning: Some(meaning.to_owned()), ..Column::new(heading, ColumnKind::Figure) }
    }

    #[test]
    fn what_was_said_is_not_said_again_unless_it_means_something_else() {
        let mut meanings = Meanings::default();
        let mut below = |columns: &[Column]| meanings.below(columns).into_string();
        let (calls, n) = (column("calls", "system calls"), column("n", "forks"));
        assert_eq!(below(&[Column::new("method", ColumnKind::Name)]), "");
        assert_eq!(
            below(std::slice::from_ref(&calls)),
            "<dl class=\"meanings\"><div><dt>calls</dt> <dd>system calls</dd></div></dl>"
        );
        assert!(!below(&[calls.clone(), n.clone()]).contains("calls"));
        assert_eq!(below(&[calls, n]), "");
        assert!(below(&[column("n", "processes")]).contains("processes"));
    }
}
