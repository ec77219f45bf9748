// A session: the conversation of `run`.

#include "session.hpp"

#include <cerrno>
#include <iomanip>
#include <istream>
#include <ostream>
#include <string>
#include <system_error>

#include "failure.hpp"
#include "methods.hpp"

namespace driver {

namespace {

// Tells a kernel or file system that cannot from a file that is not there.
bool is_refusal(const Failure& failure) {
    return failure.number == EINVAL || failure.number == EOPNOTSUPP || failure.number == ENODEV ||
           failure.number == ENOSYS;
}

std::string encode(const std::vector<std::uint64_t>& numbers) {
    std::string bytes;
    bytes.reserve(8 * numbers.size());
    for (const std::uint64_t number : numbers) {
        for (int shift = 0; shift < 64; shift += 8) {
            bytes.push_back(static_cast<char>(number >> shift));
        }
    }
    return bytes;
}

}  // namespace

Session::Session(const Plan& plan, std::ostream& out) : plan_(plan), out_(out) {
    // The first readings fault pages in, which no batch shall count as its own.
    static_cast<void>(now_ns());
    static_cast<void>(ThreadFigures::read().since(ThreadFigures::read()));
    for (const Method* method : plan.methods) {
        seats_.push_back({method->maker(plan.operation)(plan)});
        try {
            seats_.back().task->take_up();
        } catch (const Failure& failure) {
            if (is_refusal(failure)) {
                throw Unsupported(std::string(method->name) + " is not supported: " + failure.call + " on " +
                                  failure.path + ": " + std::generic_category().message(failure.number));
            }
        }
    }
    if (!plan.latencies.empty()) {
        latencies_.open(plan.latencies, std::ios::binary | std::ios::app);
        if (!latencies_) {
            throw UsageError("cannot open " + plan.latencies + ": " + std::generic_category().message(errno));
        }
    }
}

void Session::obey(std::istream& in) {
    out_ << "ready" << std::endl;
    std::string line;
    while (std::getline(in, line)) {
        const auto request = parse_line(line, seats_.size());
        if (request && request->kind == Request::quit) {
            return;
        }
        if (!request) {
            out_ << Failure{"protocol", EINVAL, line} << '\n';
        } else {
            try {
                answer(*request);
            } catch (...) {
                // No room for so many operations.
                out_ << current_failure("batch") << '\n';
            }
        }
        out_.flush();
    }
}

void Session::answer(const Request& request) {
    switch (request.kind) {
        case Request::batch: return answer_batch(request.orders[0]);
        case Request::blocks: return answer_blocks(request.orders);
        case Request::verify: return answer_verify(request.orders[0].method);
        default: return answer_release();
    }
}

void Session::answer_batch(const Order& order) {
    const bool latencies = latencies_.is_open();
    Outcome outcome;
    reserve(workspace_, plan_, order, latencies);
    run_batch(plan_, seats_[order.method], workspace_, order, latencies, outcome);
    if (latencies && !outcome.failure) {
        append_latencies(outcome);
    }
    say(outcome);
}

void Session::answer_blocks(const std::vector<Order>& schedule) {
    std::vector<Outcome> outcomes(schedule.size());
    for (const Order& order : schedule) {
        reserve(workspace_, plan_, order, false);
    }
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        const Order& order = schedule[i];
        run_batch(plan_, seats_[order.method], workspace_, order, false, outcomes[i]);
        if (outcomes[i].failure) {
            break;
        }
    }
    for (const Outcome& outcome : outcomes) {
        say(outcome);
        if (outcome.failure) {
            return;
        }
    }
    out_ << "end\n";
}

void Session::answer_verify(std::size_t method) {
    Outcome outcome;
    run_verify(plan_, seats_[method], method, outcome);
    if (outcome.failure) {
        out_ << *outcome.failure << '\n';
        return;
    }
    out_ << "verified bytes=" << outcome.data.bytes << " crc32=" << std::hex << std::setfill('0') << std::setw(8)
         << outcome.data.crc.value() << std::dec << '\n';
}

void Session::answer_release() {
    for (Seat& seat : seats_) {
        seat.task->release();
    }
    out_ << "released\n";
}

void Session::say(const Outcome& outcome) {
    if (outcome.failure) {
        out_ << *outcome.failure << '\n';
        return;
    }
    out_ << "done ops=" << outcome.count << " ns=" << outcome.ns << " bytes=" << outcome.data.bytes
         << " digest=" << outcome.data.digest;
    if (plan_.operation == Operation::lines) {
        out_ << " lines=" << outcome.data.lines;
    } else if (plan_.operation == Operation::search) {
        out_ << " matches=" << outcome.data.matches;
    }
    // This thread's figures would pass for those of all that share the work.
    if (plan_.operation != Operation::search || plan_.threads == 1) {
        out_ << outcome.thread;
    }
    out_ << '\n';
}

void Session::append_latencies(Outcome& outcome) {
    latencies_ << encode(workspace_.latencies_ns) << std::flush;
    if (!latencies_) {
        outcome.failure = Failure{"latencies", errno, plan_.latencies};
        latencies_.clear();
    }
}

}  // namespace driver
