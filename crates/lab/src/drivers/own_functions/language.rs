//! The languages in which functions of a user's can be measured.

use std::path::Path;

/// A language in which functions of a user's can be measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// Go.
    Go,
    /// Python.
    Python,
    /// C.
    C,
    /// C++.
    Cpp,
    /// Rust.
    Rust,
    /// Java.
    Java,
    /// JavaScript, by Node.js.
    JavaScript,
    /// Zig.
    Zig,
}

/// The language of a driver that is named after a user's file (`ways.go`), or of such a file.
pub fn language_of(name: &str) -> Option<Language> {
    Path::new(name).extension().and_then(|ending| Language::of_ending(ending.to_str()?))
}

impl Language {
    /// By the ending of a file's name.
    fn of_ending(ending: &str) -> Option<Self> {
        match ending {
            "go" => Some(Self::Go),
            "py" => Some(Self::Python),
            "c" => Some(Self::C),
            "cpp" | "cc" | "cxx" => Some(Self::Cpp),
            "rs" => Some(Self::Rust),
            "java" => Some(Self::Java),
            "mjs" | "js" | "cjs" => Some(Self::JavaScript),
            "zig" => Some(Self::Zig),
            _ => None,
        }
    }

    /// The shipped driver with whose kit functions are built.
    pub fn driver(self) -> &'static str {
        match self {
            Self::Go => "go",
            Self::Python => "python",
            Self::C | Self::Cpp => "cpp",
            Self::Rust => "native",
            Self::Java => "java",
            Self::JavaScript => "node",
            Self::Zig => "zig",
        }
    }

    /// What people of the language most often write to read a whole file.
    pub fn usual_ways(self) -> &'static [&'static str] {
        match self {
            Self::Go => &["go:os.ReadFile", "go:os.Open+io.ReadAll"],
            Self::Python => &["python:open+rb+read", "python:pathlib.Path.read_bytes"],
            Self::C => &["cpp:std::fopen+fread", "cpp:open+fstat+read"],
            Self::Cpp => &["cpp:std::ifstream+rdbuf", "cpp:std::ifstream+istreambuf_iterator"],
            Self::Rust => &["native:std::fs::read", "native:BufReader+read_to_end"],
            Self::Java => &["java:Files.readAllBytes", "java:FileInputStream.readAllBytes"],
            Self::JavaScript => &["node:fs.readFileSync", "node:fs.promises.readFile"],
            Self::Zig => &["zig:std.Io.Dir.readFileAlloc", "zig:std.Io.Reader.allocRemaining"],
        }
    }

    /// What a function must look like.
    pub fn signature(self) -> &'static str {
        match self {
            Self::Go => {
                "func Name(path string) ([]byte, error), or string, int, int64 or uint64 in place of []byte"
            }
            Self::Python => {
                "def name(path), which returns bytes, text or a count; its name without a leading _"
            }
            Self::C => {
                "size_t name(const char *path), or long, int, int64_t …, not static: a count, or below 0 for a failure"
            }
            Self::Cpp => {
                "std::string name(const std::string& path), not static; a vector of bytes, text or a count; const char*, std::string_view or std::filesystem::path"
            }
            Self::Rust => {
                "pub fn name(path: &str) -> Vec<u8>, or &Path; String, usize, u64, or a Result or Option of these"
            }
            Self::Java => {
                "public static byte[] name(Path path), or String, int, long; String or File in place of Path"
            }
            Self::JavaScript => {
                "export function name(path), also async, which returns a Buffer, a string or a count"
            }
            Self::Zig => {
                "pub fn name(path: []const u8) !usize, or ![]u8 with an Allocator, and an Io if you like, among its parameters"
            }
        }
    }
}
