//! Names of code: of files by their symbols, of the kernel by its own list, of
//! code made at run time by the map that its runtime wrote.

use blazesym::symbolize::source::{Kernel, Process, Source};
use blazesym::symbolize::{Input, Symbolized, Symbolizer};
use blazesym::{MaybeDefault, Pid};
use fathom_stacks::{Mappings, Origin, PerfMap};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufRead, BufReader};

/// How frames of the kernel and of code made at run time end.
const KERNEL_MARK: &str = "_[k]";
const RUN_TIME_MARK: &str = "_[j]";
const KALLSYMS: &str = "/proc/kallsyms";

/// The names of frames.
#[derive(Debug)]
pub(super) struct Names {
    kernel: BTreeMap<u64, String>,
    user: BTreeMap<u64, String>,
    /// Why frames of the kernel have no names, when they have none.
    pub(super) kernel_hidden: Option<String>,
}

impl Names {
    /// Looks up addresses of a process that is still there.
    pub(super) fn of(
        pid: u32,
        mappings: &Mappings,
        perf_map: &PerfMap,
        kernel: &BTreeSet<u64>,
        user: &BTreeSet<u64>,
    ) -> Self {
        // Lines and inlined calls are known of few drivers and would make them look unlike the others.
        let symbolizer = Symbolizer::builder().enable_code_info(false).enable_inlined_fns(false).build();
        let kernel_hidden = if kernel.is_empty() { None } else { kallsyms_hidden() };
        let kernel_source =
            Source::Kernel(Kernel { vmlinux: MaybeDefault::None, debug_syms: false, ..Kernel::default() });
        let process = Process { perf_map: false, map_files: false, ..Process::new(Pid::from(pid)) };
        let kernel = if kernel_hidden.is_some() {
            kernel.iter().map(|&address| (address, unknown_kernel())).collect()
        } else {
            let names = looked_up(&symbolizer, &kernel_source, kernel);
            let marked = |name: String| format!("{name}{KERNEL_MARK}");
            names.map(|(address, name)| (address, name.map_or_else(unknown_kernel, marked))).collect()
        };
        let names = looked_up(&symbolizer, &Source::Process(process), user);
        let user = names
            .map(|(address, name)| {
                let name = name.or_else(|| perf_map.name(address).map(fit_for_a_stack));
                (address, user_frame(mappings, address, name))
            })
            .collect();
        Self { kernel, user, kernel_hidden }
    }

    /// The name of an address of the kernel.
    pub(super) fn kernel(&self, address: u64) -> &str {
        self.kernel.get(&address).map_or("[kernel]_[k]", String::as_str)
    }

    /// The name of an address of the program.
    pub(super) fn user(&self, address: u64) -> &str {
        self.user.get(&address).map_or("[unknown]", String::as_str)
    }
}

fn unknown_kernel() -> String {
    format!("[kernel]{KERNEL_MARK}")
}

fn looked_up(
    symbolizer: &Symbolizer,
    source: &Source<'_>,
    addresses: &BTreeSet<u64>,
) -> impl Iterator<Item = (u64, Option<String>)> + use<> {
    let list: Vec<u64> = addresses.iter().copied().collect();
    let together =
        if list.is_empty() { Ok(Vec::new()) } else { symbolizer.symbolize(source, Input::AbsAddr(&list)) };
    let names: Vec<Option<String>> = match together {
        Ok(found) => found.into_iter().map(name_of).collect(),
        // One unreadable file must not take the names of all others.
        Err(_) => list
            .iter()
            .map(|&address| {
                symbolizer.symbolize_single(source, Input::AbsAddr(address)).ok().and_then(name_of)
            })
            .collect(),
    };
    list.into_iter().zip(names)
}

fn name_of(found: Symbolized<'_>) -> Option<String> {
    found.into_sym().map(|symbol| fit_for_a_stack(&symbol.name))
}

/// A frame's name has no separator of frames and no line break.
fn fit_for_a_stack(name: &str) -> String {
    let fit = |c: char| match c {
        ';' => ':',
        c if c.is_control() => ' ',
        c => c,
    };
    name.chars().map(fit).collect()
}

fn user_frame(mappings: &Mappings, address: u64, name: Option<String>) -> String {
    let origin = mappings.at(address).map(|mapping| &mapping.origin);
    match (origin, name) {
        (Some(Origin::File(_) | Origin::Kernel(_)), Some(name)) => name,
        (Some(Origin::File(path)), None) => {
            let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
            format!("[{}]", fit_for_a_stack(&file))
        }
        (Some(Origin::Kernel(part)), None) => part.clone(),
        (Some(Origin::Process), Some(name)) => format!("{name}{RUN_TIME_MARK}"),
        (Some(Origin::Process), None) => format!("[made at run time]{RUN_TIME_MARK}"),
        (None, _) => "[unknown]".to_owned(),
    }
}

/// Why the kernel's symbols cannot be read: they are there, but all at 0.
fn kallsyms_hidden() -> Option<String> {
    let file = match File::open(KALLSYMS) {
        Ok(file) => file,
        Err(error) => return Some(format!("{KALLSYMS}: {error}")),
    };
    let lines = BufReader::new(file).lines().map_while(Result::ok).take(1000);
    let mut addresses = lines.filter_map(|line| u64::from_str_radix(line.split(' ').next()?, 16).ok());
    if addresses.any(|address| address != 0) {
        return None;
    }
    Some(format!("{KALLSYMS} hides addresses (kernel.kptr_restrict)"))
}
