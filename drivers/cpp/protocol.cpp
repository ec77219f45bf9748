// The lines on standard input: how they are read.

#include "protocol.hpp"

#include <algorithm>

#include "arguments.hpp"

namespace driver {

namespace {

using Words = std::vector<std::string_view>;

Words split(std::string_view text, char separator) {
    Words words;
    while (true) {
        const std::size_t length = std::min(text.find(separator), text.size());
        words.push_back(text.substr(0, length));
        if (length == text.size()) {
            return words;
        }
        text.remove_prefix(length + 1);
    }
}

// 62 bits, so that a count and its pre-roll can be added.
std::optional<std::uint64_t> count_of(std::string_view text) {
    return parse_number(text, ~std::uint64_t{0} >> 2);
}

std::optional<std::uint64_t> method_of(std::string_view text, std::size_t methods) {
    return parse_number(text, methods - 1);
}

// Reads `N [method=K] [preroll=P]`.
std::optional<Request> parse_batch(const Words& words, std::size_t methods) {
    if (words.size() < 2) {
        return std::nullopt;
    }
    std::optional<std::uint64_t> count = count_of(words[1]);
    std::optional<std::uint64_t> method = 0;
    std::optional<std::uint64_t> preroll = 0;
    for (std::size_t i = 2; i < words.size(); ++i) {
        if (words[i].starts_with("method=")) {
            method = method_of(words[i].substr(7), methods);
        } else if (words[i].starts_with("preroll=")) {
            preroll = count_of(words[i].substr(8));
        } else {
            return std::nullopt;
        }
    }
    if (!count || !method || !preroll) {
        return std::nullopt;
    }
    return BatchRequest{{static_cast<std::size_t>(*method), *count, *preroll}};
}

// Reads `K:N:P K:N:P …`.
std::optional<Request> parse_blocks(const Words& words, std::size_t methods) {
    BlocksRequest request;
    for (std::size_t i = 1; i < words.size(); ++i) {
        const Words parts = split(words[i], ':');
        if (parts.size() != 3) {
            return std::nullopt;
        }
        const auto method = method_of(parts[0], methods);
        const auto count = count_of(parts[1]);
        const auto preroll = count_of(parts[2]);
        if (!method || !count || !preroll) {
            return std::nullopt;
        }
        request.schedule.push_back({static_cast<std::size_t>(*method), *count, *preroll});
    }
    if (request.schedule.empty()) {
        return std::nullopt;
    }
    return request;
}

// Reads `[method=K]`.
std::optional<Request> parse_verify(const Words& words, std::size_t methods) {
    if (words.size() == 1) {
        return VerifyRequest{};
    }
    if (words.size() > 2 || !words[1].starts_with("method=")) {
        return std::nullopt;
    }
    const auto method = method_of(words[1].substr(7), methods);
    if (!method) {
        return std::nullopt;
    }
    return VerifyRequest{static_cast<std::size_t>(*method)};
}

}  // namespace

std::optional<Request> parse_line(std::string_view line, std::size_t methods) {
    Words words = split(line, ' ');
    std::erase(words, std::string_view());
    if (words.empty()) {
        return std::nullopt;
    }
    if (words[0] == "batch") {
        return parse_batch(words, methods);
    }
    if (words[0] == "blocks") {
        return parse_blocks(words, methods);
    }
    if (words[0] == "verify") {
        return parse_verify(words, methods);
    }
    if (words[0] == "release" && words.size() == 1) {
        return ReleaseRequest{};
    }
    if (words[0] == "quit" && words.size() == 1) {
        return QuitRequest{};
    }
    return std::nullopt;
}

}  // namespace driver
