// The loop over operations, and what stands around it.

#include "batch.hpp"

#include <algorithm>

#include "methods.hpp"

namespace driver {

namespace {

// Repeats one task over the paths in turn: the only code, besides the methods,
// that runs while the clock does.
struct Loop {
    Task& task;
    Sink& data;
    std::size_t paths;
    // The path of the next operation, or of the one that failed.
    std::size_t which;
    std::uint64_t done = 0;

    // Performs so many operations; offsets are null where they have none.
    void run(std::uint64_t count, const std::uint64_t* offsets) {
        for (std::uint64_t i = 0; i < count; ++i) {
            step(offsets != nullptr ? offsets[i] : 0);
        }
        task.finish(data);
    }

    // The same with a reading of the clock after every operation; what is left
    // to the end is none's own.
    void run_each(std::vector<std::uint64_t>& latencies_ns, const std::uint64_t* offsets, std::uint64_t last) {
        for (std::size_t i = 0; i < latencies_ns.size(); ++i) {
            step(offsets != nullptr ? offsets[i] : 0);
            const std::uint64_t now = now_ns();
            latencies_ns[i] = now - last;
            last = now;
        }
        task.finish(data);
    }

    void step(std::uint64_t offset) {
        data.begin();
        ++done;
        task.perform(which, offset, data);
        if (++which == paths) {
            which = 0;
        }
    }
};

Loop loop_from(const Plan& plan, Seat& seat, std::uint64_t number, Sink& data) {
    const std::size_t paths = std::max<std::size_t>(1, plan.paths.size());
    return {*seat.task, data, paths, static_cast<std::size_t>(number % paths)};
}

// The failure being handled, with the path that it or else the loop names.
Failure failure_of(const Plan& plan, const Loop& loop, std::size_t method) {
    Failure failure = current_failure(std::string(plan.methods[method]->name));
    if (failure.path.empty() && loop.which < plan.paths.size()) {
        failure.path = plan.paths[loop.which];
    }
    return failure;
}

// A run of a task, which ends even when an operation fails.
class Run {
public:
    Run(Task& task, std::uint64_t first, std::uint64_t count) : task_(task) {
        task.begin_run(first, count);
    }
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;
    ~Run() { task_.end_run(); }

private:
    Task& task_;
};

}  // namespace

void reserve(Workspace& workspace, const Plan& plan, const Order& order, bool latencies) {
    if (plan.has_offsets()) {
        workspace.offsets.reserve(order.preroll + order.count);
    }
    workspace.latencies_ns.resize(latencies ? order.count : 0);
}

void run_batch(const Plan& plan, Seat& seat, Workspace& workspace, const Order& order, bool latencies,
               Outcome& outcome) {
    const std::uint64_t* offsets = nullptr;
    if (plan.has_offsets()) {
        workspace.offsets.resize(order.preroll + order.count);
        std::uint64_t number = seat.next;
        std::generate(workspace.offsets.begin(), workspace.offsets.end(), [&] { return plan.offset(number++); });
        offsets = workspace.offsets.data();
    }
    Sink& data = outcome.data;
    Loop loop = loop_from(plan, seat, seat.next, data);
    try {
        loop.task.take_up();
        if (order.preroll > 0) {
            const Run run(loop.task, seat.next, order.preroll);
            loop.run(order.preroll, offsets);
        }
        const Run run(loop.task, seat.next + order.preroll, order.count);
        if (offsets != nullptr) {
            offsets += order.preroll;
        }
        data = Sink{};
        const ThreadFigures before = ThreadFigures::read();
        if (plan.marks) {
            mark_begin();
        }
        const std::uint64_t begin = now_ns();
        if (latencies) {
            loop.run_each(workspace.latencies_ns, offsets, begin);
        } else {
            loop.run(order.count, offsets);
        }
        const std::uint64_t end = now_ns();
        if (plan.marks) {
            mark_end();
        }
        outcome.thread = ThreadFigures::read().since(before);
        outcome.count = order.count;
        outcome.ns = end - begin;
    } catch (...) {
        outcome.failure = failure_of(plan, loop, order.method);
    }
    seat.next += loop.done;
}

void run_verify(const Plan& plan, Seat& seat, std::size_t method, Outcome& outcome) {
    outcome.data.full = true;
    // What is written is looked at where it is read back.
    Sink written;
    Loop loop = loop_from(plan, seat, 0, plan.writes() ? written : outcome.data);
    const std::uint64_t offset = plan.has_offsets() ? plan.offset(0) : 0;
    try {
        loop.task.take_up();
        {
            const Run run(loop.task, 0, 1);
            loop.run(1, &offset);
        }
        loop.task.read_back(outcome.data);
    } catch (...) {
        outcome.failure = failure_of(plan, loop, method);
    }
}

}  // namespace driver
