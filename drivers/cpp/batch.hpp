// A batch: what lies between the two readings of the clock, and what is kept
// out of it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "failure.hpp"
#include "figures.hpp"
#include "plan.hpp"
#include "sink.hpp"
#include "task.hpp"

namespace driver {

// One order to perform operations.
struct Order {
    std::size_t method = 0;
    std::uint64_t count = 0;
    std::uint64_t preroll = 0;
};

// What a batch found.
struct Outcome {
    std::uint64_t count = 0;
    std::uint64_t ns = 0;
    Sink data = {};
    ThreadFigures thread = {};
    std::optional<Failure> failure = {};
};

// Memory that batches use again and again, made before a clock starts.
struct Workspace {
    std::vector<std::uint64_t> offsets;
    // Each timed operation's own time, when asked for.
    std::vector<std::uint64_t> latencies_ns;
};

// A method of this run and the number of its next operation.
struct Seat {
    std::unique_ptr<Task> task;
    std::uint64_t next = 0;
};

// Makes room for a batch; std::bad_alloc or std::length_error when there is none.
void reserve(Workspace& workspace, const Plan& plan, const Order& order, bool latencies);

// Performs one batch. The workspace has room for it already.
void run_batch(const Plan& plan, Seat& seat, Workspace& workspace, const Order& order, bool latencies,
               Outcome& outcome);

// Performs operation 0 untimed, with the CRC of what it delivers; it does not count.
void run_verify(const Plan& plan, Seat& seat, std::size_t method, Outcome& outcome);

}  // namespace driver
