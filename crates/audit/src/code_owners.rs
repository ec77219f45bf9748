//! Whose code a frame is of, and with that whose a finding is. What is known of names
//! is data: `code_owners.toml`.

use crate::finding::{Frame, Owner};
use serde::Deserialize;

const TEXT: &str = include_str!("code_owners.toml");
/// The C library's functions that open a file, without what may stand before their names.
const OPENS: [&str; 6] = ["open", "open64", "openat", "openat64", "open_nocancel", "open64_nocancel"];

/// Where threads begin that a program starts.
const THREADS: [&str; 5] = ["start_thread", "clone", "clone3", "__clone", "__clone3"];

/// What tells whose a frame is.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CodeOwners {
    loader: Code,
    libc: Code,
    runtime: Code,
    go: Go,
    interpreters: Vec<Interpreter>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Code {
    modules: Vec<String>,
    functions: Vec<String>,
    sources: Vec<String>,
    /// Where threads begin.
    entries: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Go {
    packages: Vec<String>,
    suffixes: Vec<String>,
}

/// Why a stack does not tell the line of a program that an interpreter, of this name, runs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Hidden {
    /// It shows the interpreter alone.
    ByInterpreter(String),
    /// It is of a thread that makes calls for others.
    InPool(String),
}

/// A program that runs what is given to it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Interpreter {
    name: String,
    modules: Vec<String>,
    folders: Vec<String>,
    asked: Vec<String>,
    itself: Vec<String>,
    /// Functions in which it opens what the script names.
    opens: Vec<String>,
    /// Functions on the stack while it runs a program.
    evaluates: Vec<String>,
    /// It runs programs by code that it makes of them.
    makes_code: bool,
    /// Its only functions on the stacks of threads that make calls for programs which wait elsewhere.
    pools: Vec<String>,
    /// What it writes of that code has lines too, which are not those of a call.
    maps_lines: bool,
    library: Vec<String>,
    yours_in_library: Vec<String>,
    names: Vec<String>,
    without_sources: Vec<String>,
}

impl Default for CodeOwners {
    fn default() -> Self {
        Self::load()
    }
}

impl CodeOwners {
    /// All that is known.
    pub fn load() -> Self {
        toml::from_str(TEXT).expect("a test reads it")
    }

    /// Whose a frame is: by its source where one is known, its function and its module.
    pub fn of_frame(&self, frame: &Frame) -> Owner {
        let function = frame.function.as_deref().unwrap_or("");
        let is_by = |code: &Code| {
            frame.module.as_deref().is_some_and(|module| is_module(&code.modules, module))
                || fits_any(&code.functions, function)
                || frame.file.as_deref().is_some_and(|file| contains_any(&code.sources, file))
        };
        if is_by(&self.loader) {
            Owner::Loader
        } else if is_by(&self.libc) {
            Owner::Libc
        } else if is_by(&self.runtime) || self.is_gos(frame, function) || self.interpreter(frame).is_some() {
            Owner::Runtime
        } else {
            Owner::Yours
        }
    }

    /// Whose code is that a process made at run time, whose name its runtime told. Without a
    /// name it is taken for the runtime's.
    pub fn of_made_frame(&self, frame: &Frame) -> Owner {
        let Some(function) = &frame.function else { return Owner::Runtime };
        let is_librarys = |interpreter: &Interpreter| {
            fits_any(&interpreter.names, function)
                || (frame.file.is_none() && fits_any(&interpreter.without_sources, function))
                || frame.file.as_deref().is_some_and(|file| {
                    is_in_library(&interpreter.library, file)
                        && !contains_any(&interpreter.yours_in_library, file)
                })
        };
        if self.interpreters.iter().any(is_librarys) { Owner::Runtime } else { Owner::Yours }
    }

    /// Whose a finding is by its stack, the innermost frame first; `None` where the stack does
    /// not tell: there is none, it is of code of yours, which may use what wastes without a way
    /// around it, its end is not known, or an interpreter's own functions leave it open.
    pub(crate) fn of_stack(&self, frames: &[Frame]) -> Option<Owner> {
        let has_yours = frames.iter().any(|frame| frame.owner == Owner::Yours);
        // It is the interpreter's own library that asked, whoever called that.
        let is_by_library = self.script_frame(frames).is_some_and(|frame| frame.owner != Owner::Yours);
        let asked = self.asked(frames).filter(|asked| !(is_by_library && *asked == Owner::Yours));
        if asked.is_some() || has_yours {
            return asked;
        }
        if !self.is_whole(frames) || self.running(frames).is_some() || self.pool(frames).is_some() {
            return None;
        }
        let of = |owner: Owner| frames.iter().any(|frame| frame.owner == owner).then_some(owner);
        of(Owner::Runtime).or(of(Owner::Loader)).or(of(Owner::Libc))
    }

    /// The innermost frame of a script's, where the interpreter's memory told it: with its line.
    fn script_frame<'a>(&self, frames: &'a [Frame]) -> Option<&'a Frame> {
        let interpreter = frames.iter().find_map(|frame| self.interpreter(frame))?;
        let is_scripts = |frame: &&Frame| frame.module.is_none() && frame.line.is_some();
        frames.iter().find(is_scripts).filter(|_| !interpreter.maps_lines)
    }

    /// Whether a stack goes to where its thread began.
    fn is_whole(&self, frames: &[Frame]) -> bool {
        let Some(outermost) = frames.last() else { return false };
        let is_entry = |name: &String| Some(name.as_str()) == outermost.function.as_deref();
        // A stripped program's own beginning has no name.
        let inner = frames.iter().rev().nth(1).filter(|_| outermost.function.is_none());
        let is_start = inner.and_then(|inner| inner.function.as_deref());
        outermost.owner == Owner::Loader
            || self.libc.entries.iter().chain(&self.runtime.entries).any(is_entry)
            || is_start.is_some_and(|function| function.starts_with("__libc_start_main"))
    }

    /// Why nothing is known by a stack of the program that an interpreter runs.
    pub(crate) fn hides(&self, frames: &[Frame]) -> Option<Hidden> {
        if frames.iter().any(|frame| frame.owner == Owner::Yours) {
            return None;
        }
        if let Some(interpreter) = self.pool(frames) {
            return Some(Hidden::InPool(interpreter.name.clone()));
        }
        let interpreter = self.running(frames)?;
        (!self.shows_all(interpreter, frames)).then(|| Hidden::ByInterpreter(interpreter.name.clone()))
    }

    /// The interpreter one of whose threads makes a call for a program that waits elsewhere.
    fn pool(&self, frames: &[Frame]) -> Option<&Interpreter> {
        let interpreter = frames.iter().find_map(|frame| self.interpreter(frame))?;
        let is_of_pool = |frame: &Frame| match (self.interpreter(frame), frame.function.as_deref()) {
            // What the interpreter has of the C library in itself.
            _ if frame.owner == Owner::Libc => true,
            (Some(_), Some(function)) => fits_any(&interpreter.pools, function),
            (Some(_), None) => false,
            (None, _) => frame.module.is_some(),
        };
        let outermost = frames.last().and_then(|frame| frame.function.as_deref());
        let is_thread = outermost.is_some_and(|function| THREADS.contains(&function));
        (is_thread && frames.iter().all(is_of_pool)).then_some(interpreter)
    }

    /// Whether a stack shows every function that an interpreter runs by code it makes: each has its line, of
    /// the interpreter's own library too.
    fn shows_all(&self, interpreter: &Interpreter, frames: &[Frame]) -> bool {
        let is_shown = |frame: &Frame| match frame.function.as_deref() {
            Some(function) if frame.module.is_some() => !fits_any(&interpreter.evaluates, function),
            Some(_) => frame.line.is_some(),
            None => frame.module.is_some() && self.interpreter(frame).is_none(),
        };
        interpreter.makes_code && self.is_whole(frames) && frames.iter().all(is_shown)
    }

    /// The interpreter whose script a stack shows, and which shows all that it runs: not one of code that it
    /// makes, of which single functions may be hidden.
    pub(crate) fn shows(&self, frames: &[Frame]) -> Option<&str> {
        self.script_frame(frames)?;
        let interpreter = frames.iter().find_map(|frame| self.interpreter(frame))?;
        (!interpreter.makes_code).then_some(interpreter.name.as_str())
    }

    /// The interpreter by which a stack goes, where it may be running a program there.
    fn running(&self, frames: &[Frame]) -> Option<&Interpreter> {
        let interpreter = frames.iter().find_map(|frame| self.interpreter(frame))?;
        if self.script_frame(frames).is_some() {
            return None;
        }
        let has_made_code = frames.iter().any(|frame| frame.module.is_none());
        // Of an interpreter without symbols nobody knows what it is doing.
        let evaluates = |frame: &Frame| match frame.function.as_deref() {
            Some(function) => fits_any(&interpreter.evaluates, function),
            None => self.interpreter(frame).is_some(),
        };
        // What lies beyond the end of a stack that was cut may be made code.
        let is_cut = interpreter.makes_code && !self.is_whole(frames);
        let is_running = match (interpreter.makes_code, interpreter.evaluates.is_empty()) {
            (true, true) => has_made_code || is_cut,
            (false, true) => true,
            (_, false) => has_made_code || is_cut || frames.iter().any(evaluates),
        };
        is_running.then_some(interpreter)
    }

    /// Whether the script asked for a call or the interpreter makes it of itself, by the first
    /// function of either kind. What lies around the script tells nothing: all of it is called
    /// by the interpreter.
    fn asked(&self, frames: &[Frame]) -> Option<Owner> {
        let named =
            frames.iter().filter_map(|frame| Some((self.interpreter(frame)?, frame.function.as_deref()?)));
        let call = frames.first().and_then(|frame| frame.function.as_deref()).unwrap_or("");
        let is_open = OPENS.contains(&call.trim_start_matches('_').trim_start_matches("libc_"));
        for (interpreter, function) in named {
            if fits_any(&interpreter.itself, function) {
                // Whether the script named the file is not known by that.
                let is_scripts = is_open && fits_any(&interpreter.opens, function);
                return (!is_scripts).then_some(Owner::Runtime);
            } else if fits_any(&interpreter.asked, function) {
                return Some(Owner::Yours);
            } else if fits_any(&interpreter.evaluates, function) {
                return None;
            }
        }
        None
    }

    fn interpreter(&self, frame: &Frame) -> Option<&Interpreter> {
        let module = frame.module.as_deref()?;
        let is_its = |interpreter: &&Interpreter| {
            is_module(&interpreter.modules, module) || contains_any(&interpreter.folders, module)
        };
        self.interpreters.iter().find(is_its)
    }

    /// True of the functions of Go's standard library, `internal/poll.(*FD).Read`.
    fn is_gos(&self, frame: &Frame, function: &str) -> bool {
        let ending = frame.file.as_deref().map(|file| file.rsplit('.').next().unwrap_or_default());
        let is_other = ending.is_some_and(|ending| ending != "go" && ending != "s");
        let (folders, name) = function.rsplit_once('/').unwrap_or(("", function));
        let Some((package, rest)) = name.split_once('.').filter(|_| !is_other && !name.contains("::")) else {
            return false;
        };
        let first = if folders.is_empty() { package } else { folders.split('/').next().unwrap_or(folders) };
        let suffix = rest.split('.').next().unwrap_or(rest);
        self.go.packages.iter().any(|known| known == first) && !self.go.suffixes.iter().any(|c| c == suffix)
    }
}

/// True when a file of such a name, with or without a version, is in the list.
fn is_module(modules: &[String], path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    modules.iter().any(|module| match module.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning),
        None => name.strip_prefix(module.as_str()).is_some_and(|rest| {
            rest.is_empty() || rest.starts_with(|letter: char| letter == '.' || letter.is_ascii_digit())
        }),
    })
}

fn fits_any(patterns: &[String], name: &str) -> bool {
    !name.is_empty()
        && patterns.iter().any(|pattern| match (pattern.strip_suffix('*'), pattern.strip_prefix('*')) {
            (Some(beginning), _) => name.starts_with(beginning),
            (None, Some(ending)) => name.ends_with(ending),
            (None, None) => name == pattern,
        })
}

/// True of a path with one of these parts, or a name that begins so: `node:fs`, not `/app/internal/`.
fn is_in_library(parts: &[String], path: &str) -> bool {
    parts.iter().any(|part| path.starts_with(part.as_str()) || part.starts_with('/') && path.contains(part))
}

fn contains_any(parts: &[String], path: &str) -> bool {
    parts.iter().any(|part| path.contains(part.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(module: &str, function: &str, file: &str) -> Frame {
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        Frame {
            function: some(function),
            file: some(file),
            line: None,
            module: some(module),
            address: None,
            owner: Owner::Yours,
        }
    }

    fn owned(owners: &CodeOwners, frames: &[(&str, &str, &str)]) -> Vec<Frame> {
        let owned = |&(module, function, file): &(&str, &str, &str)| {
            let frame = frame(module, function, file);
            let owner =
                if module.is_empty() { owners.of_made_frame(&frame) } else { owners.of_frame(&frame) };
            Frame { owner, ..frame }
        };
        frames.iter().map(owned).collect()
    }

    #[test]
    fn a_frame_is_told_by_module_function_and_source() {
        let owners = CodeOwners::load();
        for (module, function, file, owner) in [
            ("/lib/x86_64-linux-gnu/libc.so.6", "read", "", Owner::Libc),
            ("/lib64/ld-linux-x86-64.so.2", "", "", Owner::Loader),
            ("/home/me/app", "main", "src/main.c", Owner::Yours),
            ("/home/me/app", "_start", "", Owner::Libc),
            ("/home/me/app", "", "", Owner::Yours),
            ("/home/me/libcurl.so.4", "Curl_open", "", Owner::Yours),
            ("/home/me/app", "std::fs::File::open", "", Owner::Runtime),
            ("/home/me/app", "open<&str>", "/rustc/5980/library/std/src/fs.rs", Owner::Runtime),
            ("/home/me/app", "<std::fs::File as std::io::Read>::read", "", Owner::Runtime),
            ("/home/me/app", "app::main", "src/main.rs", Owner::Yours),
            ("/home/me/app", "internal/poll.(*FD).Read", "/go/src/internal/poll/fd_unix.go", Owner::Runtime),
            ("/home/me/app", "os.ReadFile", "", Owner::Runtime),
            ("/home/me/app", "main.load", "/home/me/main.go", Owner::Yours),
            ("/home/me/app", "github.com/me/os.Read", "/home/me/os.go", Owner::Yours),
            ("/home/me/app", "sort.part.0", "", Owner::Yours),
            ("/home/me/app", "time.constprop.0", "src/time.c", Owner::Yours),
            ("/usr/bin/python3.11", "_PyEval_EvalFrameDefault", "", Owner::Runtime),
            ("/usr/lib/libpython3.12.so.1.0", "os_stat", "", Owner::Runtime),
            ("/usr/lib/python3.11/lib-dynload/_json.so", "scan", "", Owner::Runtime),
            ("/opt/node_exporter", "main.main", "", Owner::Yours),
            ("/usr/lib/jvm/lib/server/libjvm.so", "JVM_Read", "", Owner::Runtime),
            ("/usr/lib/x86_64-linux-gnu/libruby-3.1.so.3.1.2", "rb_vm_exec", "", Owner::Runtime),
            ("/usr/lib/x86_64-linux-gnu/ruby/3.1.0/stringio.so", "", "", Owner::Runtime),
            ("/usr/lib/php/20220829/opcache.so", "", "", Owner::Runtime),
        ] {
            assert_eq!(owners.of_frame(&frame(module, function, file)), owner, "{module} {function} {file}");
        }
    }

    #[test]
    fn code_made_at_run_time_is_told_by_the_names_of_its_runtime() {
        let owners = CodeOwners::load();
        for (function, file, owner) in [
            ("load", "/home/me/a.py", Owner::Yours),
            ("_find_spec", "<frozen importlib._bootstrap>", Owner::Runtime),
            ("read_text", "/usr/lib/python3.12/pathlib.py", Owner::Runtime),
            ("get", "/usr/lib/python3.12/site-packages/requests/api.py", Owner::Yours),
            ("readFileSync", "node:fs", Owner::Runtime),
            ("load", "/home/me/a.js", Owner::Yours),
            ("Builtin:InterpreterEntryTrampoline", "", Owner::Runtime),
            ("statSync", "node:fs", Owner::Runtime),
            ("load", "/home/me/internal/a.js", Owner::Yours),
            ("java.io.FileInputStream.read", "", Owner::Runtime),
            ("org.me.Main.load", "", Owner::Yours),
            ("file_get_contents", "[internal function]", Owner::Runtime),
            ("Store::load", "/home/me/store.php", Owner::Yours),
            (
                "require",
                "<internal:/usr/lib/ruby/vendor_ruby/rubygems/core_ext/kernel_require.rb>",
                Owner::Runtime,
            ),
            ("try_activate", "/usr/lib/ruby/vendor_ruby/rubygems.rb", Owner::Runtime),
            ("mkdir_p", "/usr/lib/ruby/3.1.0/fileutils.rb", Owner::Runtime),
            ("load", "/usr/lib/ruby/gems/3.1.0/gems/rake-13.0.6/lib/rake.rb", Owner::Yours),
            ("Interpreter", "", Owner::Runtime),
            ("Interpreter.run", "Interpreter.java", Owner::Yours),
            ("org.me.Main.readStub", "org/me/Main.java", Owner::Yours),
            ("java.nio.file.Files.exists", "java/nio/file/Files.java", Owner::Runtime),
            ("", "", Owner::Runtime),
        ] {
            assert_eq!(owners.of_made_frame(&frame("", function, file)), owner, "{function} {file}");
        }
    }

    #[test]
    fn a_stack_without_code_of_yours_is_not_yours_where_its_end_is_known() {
        let owners = CodeOwners::load();
        let of = |frames: &[(&str, &str, &str)]| owners.of_stack(&owned(&owners, frames));
        let libc = "/lib/libc.so.6";
        let cleanup = [(libc, "write", ""), (libc, "exit", ""), ("/a", "_start", "")];
        assert_eq!(of(&cleanup), Some(Owner::Libc));
        assert_eq!(of(&cleanup[..2]), None, "who called it is not known");
        assert_eq!(of(&[(libc, "write", ""), ("/a", "main", "a.c"), ("/a", "_start", "")]), None);
        assert_eq!(of(&[("/a", "os.init", ""), ("/a", "runtime.goexit", "")]), Some(Owner::Runtime));
        assert_eq!(of(&[("/lib64/ld-linux-x86-64.so.2", "", "")]), Some(Owner::Loader));
        assert_eq!(of(&[]), None);
        let stripped = [(libc, "open", ""), (libc, "__libc_start_main_impl", ""), ("/usr/bin/java", "", "")];
        assert_eq!(of(&stripped), Some(Owner::Runtime), "its beginning has no name");
        assert_eq!(of(&[stripped[0], stripped[2]]), None, "nor may what called it");
    }

    fn silent_frame(python: &str) -> (&str, &str, &str) {
        (python, "_PyEval_EvalFrameDefault", "")
    }

    #[test]
    fn an_interpreters_own_functions_tell_who_asked() {
        let owners = CodeOwners::load();
        let python = "/usr/bin/python3.12";
        let of = |frames: &[(&str, &str, &str)]| owners.of_stack(&owned(&owners, frames));
        assert_eq!(of(&[(python, "_Py_fstat", ""), (python, "os_fstat", "")]), Some(Owner::Yours));
        let by_itself =
            [(python, "_Py_fstat", ""), (python, "_io_FileIO___init___impl", ""), (python, "os_x", "")];
        assert_eq!(of(&by_itself), Some(Owner::Runtime));
        let opened = [("/lib/libc.so.6", "open64", ""), by_itself[1], silent_frame(python)];
        assert_eq!(of(&opened), None, "the script named the file");
        let start = [(python, "Py_RunMain", ""), (python, "_start", "")];
        assert_eq!(of(&start), Some(Owner::Runtime), "it runs no program yet");
        let silent = [(python, "", ""), (python, "_PyEval_EvalFrameDefault", ""), (python, "_start", "")];
        assert_eq!(of(&silent), None, "it may be either");
        let by = |name: &str| Some(Hidden::ByInterpreter(name.to_owned()));
        assert_eq!(owners.hides(&owned(&owners, &silent)), by("python"));
        let main = [silent[1], (python, "Py_BytesMain", ""), silent[2]];
        assert_eq!(of(&main), None, "who began the interpreter made no call");
        let node = "/usr/bin/node";
        let script = [
            (node, "uv_fs_stat", ""),
            (node, "Builtins_InterpreterEntryTrampoline", ""),
            (node, "_start", ""),
        ];
        assert_eq!(of(&script), None, "its own JavaScript, or the script");
        assert_eq!(of(&[script[0], script[2]]), Some(Owner::Runtime), "it runs no program yet");
        let told = |function: &str| Frame {
            line: Some(3),
            ..frame("", function, "node:internal/modules/cjs/loader")
        };
        let mut own = owned(&owners, &[script[0], script[0], script[2]]);
        own[1] = Frame { module: None, owner: Owner::Runtime, ..told("Module._load") };
        assert_eq!(owners.hides(&own), None, "its own JavaScript, with its lines");
        own[1].line = None;
        assert_eq!(owners.hides(&own), by("node"));
        let pool = [
            ("/lib/libc.so.6", "syscall", ""),
            (node, "fstat64", ""),
            script[0],
            (node, "worker", ""),
            ("/lib/libc.so.6", "clone3", ""),
        ];
        assert_eq!(of(&pool), None, "who asked waits elsewhere");
        assert_eq!(owners.hides(&owned(&owners, &pool)), Some(Hidden::InPool("node".to_owned())));
        let java = "/usr/lib/jvm/lib/server/libjvm.so";
        let jdk = ("", "java.lang.System.initPhase2", "java/lang/System.java");
        let of_jdk =
            owned(&owners, &[(java, "JVM_Open", ""), jdk, (java, "JavaMain", ""), (java, "_start", "")]);
        assert_eq!(owners.hides(&of_jdk), by("java"), "a map has methods, and may lack those around them");
        let known = of_jdk.into_iter().map(|frame| {
            let line = frame.file.as_ref().filter(|_| frame.module.is_none()).map(|_| 7);
            Frame { line, ..frame }
        });
        let known: Vec<Frame> = known.collect();
        assert_eq!(owners.hides(&known), None);
        assert_eq!(owners.of_stack(&known), Some(Owner::Runtime), "its memory has all of them");
        let stripped = [(python, "", ""), (python, "", ""), (python, "_start", "")];
        assert_eq!(of(&stripped), None, "without symbols it may be either");
        assert_eq!(owners.hides(&owned(&owners, &stripped)), by("python"));
    }
}
