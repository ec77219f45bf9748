// The lines on standard input: how they are read.

#include "protocol.hpp"

#include <charconv>

namespace driver {

namespace {

// Reads a line from its start, until something else stands there than was expected.
struct Reader {
    std::string_view rest;
    bool good = true;

    bool has(std::string_view words) {
        const bool found = rest.starts_with(words);
        rest.remove_prefix(found ? words.size() : 0);
        return found;
    }

    // At most 62 bits, so that a count and its pre-roll can be added.
    std::uint64_t number(std::uint64_t highest = ~std::uint64_t{0} >> 2) {
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
        good = good && error == std::errc() && value <= highest;
        rest.remove_prefix(end - rest.data());
        return value;
    }
};

}  // namespace

std::optional<Request> parse_line(std::string_view line, std::size_t methods) {
    Reader reader{line};
    Request request;
    if (reader.has("batch ")) {
        request = {Request::batch, {{}}};
        Order& order = request.orders[0];
        order.count = reader.number();
        order.method = reader.has(" method=") ? reader.number(methods - 1) : 0;
        order.preroll = reader.has(" preroll=") ? reader.number() : 0;
    } else if (reader.has("blocks")) {
        request.kind = Request::blocks;
        while (reader.good && reader.has(" ")) {
            Order& order = request.orders.emplace_back();
            order.method = reader.number(methods - 1);
            reader.good = reader.good && reader.has(":");
            order.count = reader.number();
            reader.good = reader.good && reader.has(":");
            order.preroll = reader.number();
        }
        reader.good = reader.good && !request.orders.empty();
    } else if (reader.has("verify")) {
        request = {Request::verify, {{}}};
        request.orders[0].method = reader.has(" method=") ? reader.number(methods - 1) : 0;
    } else if (reader.has("release")) {
        request.kind = Request::release;
    } else if (!reader.has("quit")) {
        reader.good = false;
    }
    return reader.good && reader.rest.empty() ? std::optional(request) : std::nullopt;
}

}  // namespace driver
