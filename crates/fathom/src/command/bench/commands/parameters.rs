//! `--parameter n=1,2,4`: a command with `{n}` in it becomes one for each value.

use crate::arguments::BenchCommands;
use crate::command::Hinted;

/// More commands than this are a mistake: each block runs them all.
const COMMANDS_MAX: usize = 64;

/// A name and its values.
type Parameter<'a> = (&'a str, Vec<&'a str>);

/// The commands with values in the place of names: all of a command's combinations, in its place.
pub(super) fn expanded(form: &BenchCommands) -> anyhow::Result<Vec<String>> {
    let parameters: Vec<Parameter<'_>> =
        form.parameter.iter().map(|text| parameter(text)).collect::<Result<_, _>>()?;
    for (index, (name, _)) in parameters.iter().enumerate() {
        if parameters[..index].iter().any(|(other, _)| other == name) {
            return Err(Hinted::error(
                format!("--parameter: `{name}` is given twice"),
                "one --parameter holds all values of a name: n=1,2,4",
            ));
        }
        let place = format!("{{{name}}}");
        if form.prepare.as_ref().is_some_and(|prepare| prepare.contains(&place)) {
            return Err(Hinted::error(
                format!(
                    "--prepare: {place} has no value there: the preparation is the same for all commands"
                ),
                "let the commands themselves depend on it",
            ));
        }
        if !form.commands.iter().any(|command| command.contains(&place)) {
            return Err(Hinted::error(
                format!("--parameter: no command has {place} in it"),
                format!("write {place} where a value is to stand"),
            ));
        }
    }
    let mut all = Vec::new();
    for command in &form.commands {
        let mut of_command = vec![command.clone()];
        for (name, values) in &parameters {
            let place = format!("{{{name}}}");
            if command.contains(&place) {
                let with = |text: &String| {
                    values.iter().map(|value| text.replace(&place, value)).collect::<Vec<_>>()
                };
                of_command = of_command.iter().flat_map(with).collect();
            }
            check_number(all.len() + of_command.len())?;
        }
        all.extend(of_command);
        check_number(all.len())?;
    }
    Ok(all)
}

fn check_number(commands: usize) -> anyhow::Result<()> {
    if commands <= COMMANDS_MAX {
        return Ok(());
    }
    Err(Hinted::error(
        format!("--commands: {commands} commands are too many: each block runs all of them"),
        format!("{COMMANDS_MAX} at most; give fewer values"),
    ))
}

fn parameter(text: &str) -> anyhow::Result<Parameter<'_>> {
    let parts = text.split_once('=').filter(|(name, values)| {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        !name.is_empty() && name.chars().all(is_name) && !values.is_empty()
    });
    let (name, values) = parts.ok_or_else(|| {
        Hinted::error(format!("--parameter: `{text}` gives no values"), "write it like --parameter n=1,2,4")
    })?;
    Ok((name, values.split(',').collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expand(commands: &[&str], parameters: &[&str], prepare: Option<&str>) -> Result<Vec<String>, String> {
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        let form = BenchCommands {
            commands: owned(commands),
            prepare: prepare.map(str::to_owned),
            parameter: owned(parameters),
            shell: false,
            warm_up: None,
            pin: false,
            ignore_failure: false,
            ignore_output: false,
        };
        expanded(&form).map_err(|error| error.to_string())
    }

    #[test]
    fn a_command_becomes_one_for_each_combination_of_its_own_parameters() {
        let found = expand(&["a", "b {n}", "c {n} {m}"], &["n=1,2", "m=x,y"], None).unwrap();
        assert_eq!(found, ["a", "b 1", "b 2", "c 1 x", "c 1 y", "c 2 x", "c 2 y"]);
        assert_eq!(
            expand(&["a {other}"], &[], None).unwrap(),
            ["a {other}"],
            "awk's braces are no parameters"
        );
    }

    #[test]
    fn mistakes_are_refused() {
        for (commands, parameters, prepare, part) in [
            (&["a {n}"][..], &["n"][..], None, "`n` gives no values"),
            (&["a {n}"], &["n="], None, "gives no values"),
            (&["a"], &["n=1"], None, "no command has {n}"),
            (&["a {n}"], &["n=1", "n=2"], None, "twice"),
            (&["a {n}"], &["n=1,2"], Some("touch {n}"), "--prepare"),
            (&["a {n} {m}"], &["n=1,2,3,4,5,6,7,8,9", "m=1,2,3,4,5,6,7,8,9"], None, "too many"),
        ] {
            let error = expand(commands, parameters, prepare).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }
}
