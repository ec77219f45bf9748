// null, for operations that make files: it makes none.

#include "operations.hpp"
#include "pool.hpp"

namespace driver {

namespace {

class NullCreateTask final : public Task {
public:
    explicit NullCreateTask(const Plan& plan) : content_(content_to_create(plan.write)) {}

    void perform(std::size_t, std::uint64_t, Sink& out) override { out.take_written(content_.size()); }

    void read_back(Sink& out) override { out.take(content_); }

private:
    const std::string content_;
};

class NullWriteTask final : public Task {
public:
    explicit NullWriteTask(const Plan& plan) : pool_(plan) {}

    void begin_run(std::uint64_t first, std::uint64_t) override { pool_.seek(first); }

    void perform(std::size_t, std::uint64_t, Sink& out) override { out.take(pool_.next()); }

    void read_back(Sink& out) override {
        pool_.seek(0);
        out.take(pool_.next());
    }

private:
    Pool pool_;
};

}  // namespace

std::unique_ptr<Task> make_null_create(const Plan& plan) { return make<NullCreateTask>(plan); }
std::unique_ptr<Task> make_null_write_block(const Plan& plan) { return make<NullWriteTask>(plan); }

}  // namespace driver
