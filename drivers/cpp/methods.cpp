// The table of methods. How each of them works stands in the file of its operation.

#include "methods.hpp"

#include <algorithm>

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
    {.name = "std::ifstream",
     .does = "std::ifstream in(path)",
     .open_close = opens<open_ifstream>,
     .open_missing = opens<missing_ifstream>},
    {.name = "std::fstream", .does = "std::fstream in(path, std::ios::in)", .open_close = opens<open_fstream>},
    {.name = "std::filebuf", .does = "std::filebuf::open(path, std::ios::in)", .open_close = opens<open_filebuf>},
    {.name = "std::fopen",
     .does = "std::fopen(path, r), std::fclose",
     .open_close = opens<open_fopen>,
     .open_missing = opens<missing_fopen>},
    {.name = "open",
     .does = "POSIX open(path, O_RDONLY), close",
     .open_close = opens<open_posix>,
     .open_missing = opens<missing_posix>},

    {.name = "std::ofstream+in",
     .does = "std::ofstream out(path, std::ios::in | std::ios::out): no truncation",
     .open_write_close = opens<open_ofstream_in>},
    {.name = "std::ofstream",
     .does = "std::ofstream out(path): truncates by itself, and creates a missing file; create: write, close",
     .open_write_close = opens<open_ofstream>,
     .create = create_ofstream},
    {.name = "std::fstream+out",
     .does = "std::fstream out(path, std::ios::in | std::ios::out)",
     .open_write_close = opens<open_fstream_out>},
    {.name = "fopen+r+", .does = "std::fopen(path, r+), std::fclose", .open_write_close = opens<open_fopen_update>},
    {.name = "open+O_WRONLY",
     .does = "POSIX open(path, O_WRONLY), close",
     .open_write_close = opens<open_posix_write>},

    {.name = "std::ifstream+read",
     .does = "std::ifstream, read; read-whole: seekg to the end, tellg, seekg back, one read into a new std::string",
     .open_read_close = reads<read_ifstream>,
     .read_whole = reads<whole_ifstream>},
    {.name = "std::fopen+fread",
     .does = "std::fopen, std::fread (read-whole: in pieces of the block size until it returns 0), std::fclose",
     .open_read_close = reads<read_fread>,
     .read_whole = reads<whole_fread>},
    {.name = "open+read",
     .does = "POSIX open, read (read-whole: in pieces of the block size until it returns 0), close",
     .open_read_close = reads<read_read>,
     .read_whole = reads<whole_read>},
    {.name = "open+pread", .does = "POSIX open, pread, close", .open_read_close = reads<read_pread>},
    {.name = "mmap",
     .does = "open, mmap, a byte touched per page, munmap, close (read-whole: fstat first); read-block: touch",
     .open_read_close = reads<read_mmap>,
     .read_whole = reads<whole_mmap>,
     .read_block = blocks_mmap},

    {.name = "std::ifstream+istreambuf_iterator",
     .does = "std::string data{std::istreambuf_iterator<char>(in), {}} of a std::ifstream",
     .read_whole = reads<whole_iterator>},
    {.name = "std::ifstream+rdbuf",
     .does = "std::ostringstream << std::ifstream::rdbuf(), std::move(stream).str()",
     .read_whole = reads<whole_rdbuf>},
    {.name = "std::filesystem::file_size+read",
     .does = "std::filesystem::file_size of the path in a std::string, std::ifstream, one read into a new std::string",
     .read_whole = reads<whole_file_size>},
    {.name = "open+fstat+read",
     .does = "POSIX open, fstat, read into new memory of that size, close",
     .read_whole = reads<whole_fstat_read>},

    {.name = "std::ifstream+seekg+read",
     .does = "std::ifstream::seekg, std::ifstream::read",
     .read_block = blocks_ifstream},
    {.name = "std::fseek+fread", .does = "std::fseek, std::fread", .read_block = blocks_fread},
    {.name = "pread", .does = "POSIX pread", .read_block = blocks_pread},
    {.name = "pread+FADV_RANDOM",
     .does = "posix_fadvise(POSIX_FADV_RANDOM) once, POSIX pread",
     .read_block = blocks_pread_random},
    {.name = "mmap+copy",
     .does = "open, fstat, mmap, memcpy of every byte into a buffer, munmap, close; read-block: memcpy of the block",
     .read_whole = reads<whole_mmap_copy>,
     .read_block = blocks_mmap_copy},
    {.name = "mmap+MADV_RANDOM",
     .does = "mmap, madvise(MADV_RANDOM) once, a byte touched per page",
     .read_block = blocks_mmap_random},
    {.name = "mmap+MADV_SEQUENTIAL",
     .does = "mmap, madvise(MADV_SEQUENTIAL) once, a byte touched per page",
     .read_block = blocks_mmap_sequential},

    {.name = "std::getline", .does = "std::getline of a std::ifstream", .lines = reads<lines_std_getline>},
    {.name = "getline(3)", .does = "std::fopen, POSIX getline, std::fclose", .lines = reads<lines_posix_getline>},
    {.name = "fgets",
     .does = "std::fopen, std::fgets, std::strlen; a line longer than the block comes in pieces, none may hold a null",
     .lines = reads<lines_fgets>},
    {.name = "mmap+memchr", .does = "open, fstat, mmap, memchr, munmap, close", .lines = reads<lines_memchr>},

    {.name = "std::getline+find",
     .does = "std::getline, std::string::find; threads: std::async, each seekg to its part of the file",
     .search = counts<search_getline>},
    {.name = "read+memmem",
     .does = "open, read in blocks, memmem, close; threads: std::async, each lseek to its part of the file",
     .search = counts<search_read>},
    {.name = "mmap+memmem",
     .does = "open, fstat, mmap, memmem, munmap, close; threads: std::async, each its part of the mapping",
     .search = counts<search_mmap>},

    {.name = "fopen+w",
     .does = "std::fopen(path, w), std::fwrite, std::fclose; fsync: of its fileno, behind std::fflush",
     .create = create_fopen},
    {.name = "open+O_CREAT",
     .does = "POSIX open(path, O_CREAT | O_WRONLY | O_TRUNC), write, close",
     .create = create_posix},

    {.name = "pwrite", .does = "POSIX pwrite", .write_block = write_pwrite},
    {.name = "std::ofstream+seekp+write",
     .does = "std::ofstream::write, seekp before it where the block does not follow the one before; flush at the end",
     .write_block = write_ofstream},
    {.name = "std::fseek+fwrite",
     .does = "std::fwrite, std::fseek before it where the block does not follow the one before; fflush at the end",
     .write_block = write_fwrite},

    {.name = "std::filesystem::copy_file",
     .does = "std::filesystem::copy_file",
     .copy = copy_filesystem},
    {.name = "std::ofstream+rdbuf",
     .does = "std::ofstream out << std::ifstream::rdbuf(), close",
     .copy = copy_rdbuf},
    {.name = "read+write",
     .does = "open, open with O_CREAT | O_EXCL, read and write in pieces of the block size, close",
     .copy = copy_read_write},

    {.name = "embedded", .does = "a string literal, std::string::find and replace", .render = reads<render_embedded>},
    {.name = "std::ifstream+replace",
     .does = "std::ostringstream << std::ifstream::rdbuf(), std::string::find and replace",
     .render = reads<render_ifstream>},

    {.name = "null",
     .does = "everything but the I/O; lines and search: the loop alone, with the answer computed beforehand",
     .nothing = make_null,
     .open_close = make_null,
     .open_write_close = make_null,
     .open_read_close = make_null,
     .read_whole = make_null,
     .read_block = make_null,
     .lines = make_null,
     .search = make_null,
     .open_missing = make_null,
     .create = make_null,
     .write_block = make_null,
     .copy = make_null,
     .render = make_null},
};

Maker Method::maker(Operation operation) const {
    switch (operation) {
        case Operation::nothing: return nothing;
        case Operation::open_close: return open_close;
        case Operation::open_write_close: return open_write_close;
        case Operation::open_read_close: return open_read_close;
        case Operation::read_whole: return read_whole;
        case Operation::read_block: return read_block;
        case Operation::lines: return lines;
        case Operation::search: return search;
        case Operation::open_missing: return open_missing;
        case Operation::create: return create;
        case Operation::write_block: return write_block;
        case Operation::copy: return copy;
        case Operation::render: return render;
    }
    return nullptr;
}

const Method* find_method(std::string_view name) {
    const auto found =
        std::find_if(methods.begin(), methods.end(), [name](const Method& method) { return method.name == name; });
    return found != methods.end() ? &*found : nullptr;
}

}  // namespace driver
