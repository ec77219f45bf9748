// A session: it prepares what the arguments ask for, then obeys lines until
// the input ends.

#pragma once

#include <fstream>
#include <iosfwd>
#include <vector>

#include "batch.hpp"
#include "plan.hpp"
#include "protocol.hpp"

namespace driver {

// One `run`, with everything allocated that its batches need.
class Session {
public:
    // Binds the methods to the files and takes up what they hold. A file that
    // cannot be opened is not reported here but by the batch that needs it.
    Session(const Plan& plan, std::ostream& out);

    // Answers lines until `quit` or the end of input.
    void obey(std::istream& in);

private:
    void answer(const Request& request);
    void answer_batch(const Order& order);
    void answer_blocks(const std::vector<Order>& schedule);
    void answer_verify(std::size_t method);
    void answer_release();

    void say(const Outcome& outcome);
    void append_latencies(Outcome& outcome);

    const Plan& plan_;
    std::ostream& out_;
    std::vector<Seat> seats_;
    Workspace workspace_;
    std::ofstream latencies_;
};

}  // namespace driver
