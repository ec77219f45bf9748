//! bash splits the words of a line at `:` and `=`, so that `--methods go:os<tab>` reaches a completion
//! as three words; here they are put together again, and only what stands behind is given back.

use clap_complete::env::{Bash as Plain, EnvCompleter};
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

const SCRIPT: &str = r#"_fathom() {
    local typed=${COMP_LINE:0:COMP_POINT} current=$2 split reply
    local -a words
    read -ra words <<< "$typed"
    [[ $typed == *[[:space:]] || -z $typed ]] && words+=("")
    split=${words[${#words[@]} - 1]}
    split=${split%"$current"}
    COMPREPLY=()
    while IFS= read -r -d $'\013' reply; do
        COMPREPLY+=("${reply#"$split"}")
    done < <(_CLAP_IFS=$'\013' _CLAP_COMPLETE_INDEX=$((${#words[@]} - 1)) VARIABLE=bash \
        COMPLETER -- "${words[@]}" 2>/dev/null; printf '\013')
    [[ ${#COMPREPLY[@]} -eq 1 && -z ${COMPREPLY[0]} ]] && COMPREPLY=()
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=/:] ]] && compopt -o nospace 2>/dev/null
    return 0
}
complete -o bashdefault -F _fathom BIN
"#;

/// bash, with its words put together.
pub(super) struct Bash;

impl EnvCompleter for Bash {
    fn name(&self) -> &'static str {
        Plain.name()
    }

    fn is(&self, name: &str) -> bool {
        Plain.is(name)
    }

    fn write_registration(
        &self,
        variable: &str,
        _name: &str,
        program: &str,
        completer: &str,
        script: &mut dyn Write,
    ) -> io::Result<()> {
        let text = SCRIPT.replace("VARIABLE", variable).replace("COMPLETER", completer);
        script.write_all(text.replace("BIN", program).as_bytes())
    }

    fn write_complete(
        &self,
        command: &mut clap::Command,
        words: Vec<OsString>,
        folder: Option<&Path>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        Plain.write_complete(command, words, folder, out)
    }
}
