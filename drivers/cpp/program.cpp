// The commands `describe` and `run`, and the exit codes. It does not know what a
// method does.

#include "program.hpp"

#include <gnu/libc-version.h>

#include <ostream>
#include <string>

#include "arguments.hpp"
#include "failure.hpp"
#include "methods.hpp"
#include "session.hpp"

namespace driver {

namespace {

constexpr int exit_done = 0;
constexpr int exit_usage = 2;
constexpr int exit_unsupported = 77;

// The compiler, the C++ library and the C library beneath it.
std::string runtime() {
#if defined(__clang__)
    std::string text = "clang " + std::to_string(__clang_major__) + "." + std::to_string(__clang_minor__) + "." +
                       std::to_string(__clang_patchlevel__);
#else
    std::string text = "g++ " + std::to_string(__GNUC__) + "." + std::to_string(__GNUC_MINOR__) + "." +
                       std::to_string(__GNUC_PATCHLEVEL__);
#endif
#if defined(_LIBCPP_VERSION)
    text += ", libc++ " + std::to_string(_LIBCPP_VERSION);
#else
    text += ", libstdc++ " + std::to_string(_GLIBCXX_RELEASE);
#endif
    return text + ", glibc " + ::gnu_get_libc_version();
}

// The names and texts hold nothing that JSON would escape.
void describe(std::ostream& out) {
    out << R"({"protocol": 1, "driver": "cpp", "language": "C++", "runtime": ")" << runtime() << "\",\n \"methods\": [";
    const char* separator = "\n  ";
    for (const Method& method : methods) {
        out << separator << R"({"name": ")" << method.name << R"(", "operations": [)";
        separator = "";
        for (std::size_t i = 0; i < operation_words.size(); ++i) {
            if (method.maker(static_cast<Operation>(i)) != nullptr) {
                out << separator << '"' << operation_words[i] << '"';
                separator = ", ";
            }
        }
        out << ']';
        if (!method.does.empty()) {
            out << R"(, "does": ")" << method.does << '"';
        }
        if (method.unavailable != nullptr) {
            out << R"(, "unavailable": ")" << method.unavailable << '"';
        }
        out << '}';
        separator = ",\n  ";
    }
    out << "\n ]}" << std::endl;
}

void obey(const std::vector<std::string_view>& words, std::istream& in, std::ostream& out) {
    if (words.empty()) {
        throw UsageError("usage: driver describe | driver run --operation NAME --method NAME --path FILE …");
    }
    if (words[0] == "describe" && words.size() == 1) {
        describe(out);
    } else if (words[0] == "run") {
        const Plan plan = parse_arguments({words.begin() + 1, words.end()});
        Session(plan, out).obey(in);
    } else {
        throw UsageError("unknown command " + std::string(words[0]));
    }
}

}  // namespace

int drive(const std::vector<std::string_view>& words, std::istream& in, std::ostream& out, std::ostream& messages) {
    try {
        obey(words, in, out);
        return exit_done;
    } catch (const Unsupported& error) {
        messages << "not supported: " << error.what() << std::endl;
        return exit_unsupported;
    } catch (const std::exception& error) {
        messages << "error: " << error.what() << std::endl;
        return exit_usage;
    }
}

}  // namespace driver
