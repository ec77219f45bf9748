// The table of methods. What each does in words stands in driver.toml, how it works in the file of its operation.

#include "methods.hpp"

#include <algorithm>
#include <iterator>

#include "operations.hpp"

namespace driver {

namespace {

template <void (*open)(const std::string&)>
constexpr Maker opens = make<OpenTask<open>>;

template <void (*read)(const std::string&, Buffers&, Sink&)>
constexpr Maker reads = make<ReadTask<read>>;

template <void (*count)(const std::string&, Search&, Sink&)>
constexpr Maker counts = make<SearchTask<count>>;

}  // namespace

const std::vector<Method> methods = {
    {.name = "std::ifstream", .open_close = opens<open_ifstream>, .open_missing = opens<missing_ifstream>},
    {.name = "std::fstream", .open_close = opens<open_fstream>},
    {.name = "std::filebuf", .open_close = opens<open_filebuf>},
    {.name = "std::fopen", .open_close = opens<open_fopen>, .open_missing = opens<missing_fopen>},
    {.name = "open", .open_close = opens<open_posix>, .open_missing = opens<missing_posix>},
    {.name = "std::ofstream+in", .open_write_close = opens<open_ofstream_in>},
    {.name = "std::ofstream", .open_write_close = opens<open_ofstream>, .create = create_ofstream},
    {.name = "std::fstream+out", .open_write_close = opens<open_fstream_out>},
    {.name = "fopen+r+", .open_write_close = opens<open_fopen_update>},
    {.name = "open+O_WRONLY", .open_write_close = opens<open_posix_write>},
    {.name = "std::ifstream+read", .open_read_close = reads<read_ifstream>, .read_whole = reads<whole_ifstream>},
    {.name = "std::fopen+fread", .open_read_close = reads<read_fread>, .read_whole = reads<whole_fread>},
    {.name = "open+read", .open_read_close = reads<read_read>, .read_whole = reads<whole_read>},
    {.name = "open+pread", .open_read_close = reads<read_pread>},
    {.name = "mmap", .open_read_close = reads<read_mmap>, .read_whole = reads<whole_mmap>, .read_block = blocks_mmap},
    {.name = "std::ifstream+istreambuf_iterator", .read_whole = reads<whole_iterator>},
    {.name = "std::ifstream+rdbuf", .read_whole = reads<whole_rdbuf>},
    {.name = "std::filesystem::file_size+read", .read_whole = reads<whole_file_size>},
    {.name = "open+fstat+read", .read_whole = reads<whole_fstat_read>},
    {.name = "std::ifstream+seekg+read", .read_block = blocks_ifstream},
    {.name = "std::fseek+fread", .read_block = blocks_fread},
    {.name = "pread", .read_block = blocks_pread},
    {.name = "pread+FADV_RANDOM", .read_block = blocks_pread_random},
    {.name = "mmap+copy", .read_whole = reads<whole_mmap_copy>, .read_block = blocks_mmap_copy},
    {.name = "mmap+MADV_RANDOM", .read_block = blocks_mmap_random},
    {.name = "mmap+MADV_SEQUENTIAL", .read_block = blocks_mmap_sequential},
    {.name = "std::getline", .lines = reads<lines_std_getline>},
    {.name = "getline(3)", .lines = reads<lines_posix_getline>},
    {.name = "fgets", .lines = reads<lines_fgets>},
    {.name = "mmap+memchr", .lines = reads<lines_memchr>},
    {.name = "std::getline+find", .search = counts<search_getline>},
    {.name = "read+memmem", .search = counts<search_read>},
    {.name = "mmap+memmem", .search = counts<search_mmap>},
    {.name = "fopen+w", .create = create_fopen},
    {.name = "open+O_CREAT", .create = create_posix},
    {.name = "pwrite", .write_block = write_pwrite},
    {.name = "std::ofstream+seekp+write", .write_block = write_ofstream},
    {.name = "std::fseek+fwrite", .write_block = write_fwrite},
    {.name = "std::filesystem::copy_file", .copy = copy_filesystem},
    {.name = "std::ofstream+rdbuf", .copy = copy_rdbuf},
    {.name = "read+write", .copy = copy_read_write},
    {.name = "embedded", .render = reads<render_embedded>},
    {.name = "std::ifstream+replace", .render = reads<render_ifstream>},
    {.name = "null", .nothing = make_null, .open_close = make_null, .open_write_close = make_null,
     .open_read_close = make_null, .read_whole = make_null, .read_block = make_null, .lines = make_null,
     .search = make_null, .open_missing = make_null, .create = make_null, .write_block = make_null, .copy = make_null,
     .render = make_null},
};

Maker Method::maker(Operation operation) const {
    // In the order of the enumeration.
    static constexpr Maker Method::* all[] = {
        &Method::nothing,    &Method::open_close, &Method::open_write_close, &Method::open_read_close, &Method::read_whole,
        &Method::read_block, &Method::lines,      &Method::search,           &Method::open_missing,    &Method::create,
        &Method::write_block, &Method::copy,      &Method::render,
    };
    static_assert(std::size(all) == operation_words.size());
    return this->*all[static_cast<std::size_t>(operation)];
}

const Method* find_method(std::string_view name) {
    const auto found =
        std::find_if(methods.begin(), methods.end(), [name](const Method& method) { return method.name == name; });
    return found != methods.end() ? &*found : nullptr;
}

}  // namespace driver
