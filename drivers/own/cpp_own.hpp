// Functions of a user's file as methods. Which they are stands in own_list.inc, made for the file.

#pragma once

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "failure.hpp"
#include "methods.hpp"
#include "operations.hpp"

namespace driver::own {

template <class A>
constexpr bool takes_path = std::is_convertible_v<const char*, A> || std::is_convertible_v<const std::string&, A>;

// The path as the function wants it, without a copy where there is one already.
template <class A>
decltype(auto) argument(const std::string& path) {
    if constexpr (std::is_same_v<A, const std::filesystem::path&>) {
        static std::filesystem::path held;
        return held.native() == path ? held : held = path;
    } else if constexpr (std::is_pointer_v<A> || std::is_same_v<A, std::filesystem::path>) {
        return path.c_str();
    } else {
        return (path);
    }
}

// Whether the result is a count, or bytes.
template <class R>
constexpr bool counts = std::is_integral_v<R> && !std::is_same_v<R, bool>;

template <class R>
constexpr bool holds_bytes = std::is_convertible_v<const R&, std::string_view> && !std::is_pointer_v<R>;

template <class R>
struct IsVector : std::false_type {};
template <class T, class A>
struct IsVector<std::vector<T, A>> : std::bool_constant<sizeof(T) == 1> {};

template <class R>
constexpr bool answers = counts<R> || holds_bytes<R> || IsVector<R>::value;

template <class R>
void deliver(const R& result, Sink& out) {
    if constexpr (counts<R>) {
        if constexpr (std::is_signed_v<R>) {
            if (result < 0) {
                throw Failure{"function", errno != 0 ? errno : EIO};
            }
        }
        out.take_count(0, static_cast<std::uint64_t>(result));
    } else if constexpr (holds_bytes<R>) {
        out.take(std::string_view(result));
    } else {
        out.take({reinterpret_cast<const char*>(result.data()), result.size()});
    }
}

// A function that is no method; `misfit` says why.
template <auto f>
struct Own {
    static constexpr const char* misfit = "does not take one path";
    static void read(const std::string&, Buffers&, Sink&) {}
};

template <class R, class A, R (*f)(A)>
struct Own<f> {
    using Result = std::remove_cvref_t<R>;
    static constexpr const char* misfit = !takes_path<A>     ? "takes something else than a path"
                                          : !answers<Result> ? "returns neither bytes, text nor a count"
                                                             : nullptr;
    static void read(const std::string& path, Buffers&, Sink& out) {
        if constexpr (misfit == nullptr) {
            // A function that fails without setting errno is not blamed with an older one.
            errno = 0;
            try {
                deliver<Result>(f(argument<A>(path)), out);
            } catch (const Failure&) {
                throw;
            } catch (const std::system_error&) {
                throw;
            } catch (const std::exception& error) {
                throw Failure{"function", EIO, path + " (" + error.what() + ")"};
            } catch (...) {
                throw Failure{"function", EIO, path + " (threw something that is no std::exception)"};
            }
        }
    }
};

// The one of the functions of a name that takes this.
template <class A, class R>
constexpr auto taking(R (*f)(A)) {
    return f;
}

template <auto f>
constexpr Maker maker() {
    return make<ReadTask<Own<f>::read>>;
}

}  // namespace driver::own
