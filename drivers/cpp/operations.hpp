// The methods' functions, by the file they stand in.

#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "task.hpp"

namespace driver {

// open_close.cpp
void open_ifstream(const std::string& path);
void open_fstream(const std::string& path);
void open_filebuf(const std::string& path);
void open_fopen(const std::string& path);
void open_posix(const std::string& path);

// open_write_close.cpp
void open_ofstream_in(const std::string& path);
void open_ofstream(const std::string& path);
void open_fstream_out(const std::string& path);
void open_fopen_update(const std::string& path);
void open_posix_write(const std::string& path);

// open_read_close.cpp
void read_ifstream(const std::string& path, Buffers& buffers, Sink& out);
void read_fread(const std::string& path, Buffers& buffers, Sink& out);
void read_read(const std::string& path, Buffers& buffers, Sink& out);
void read_pread(const std::string& path, Buffers& buffers, Sink& out);
void read_mmap(const std::string& path, Buffers& buffers, Sink& out);

// read_whole.cpp
void whole_ifstream(const std::string& path, Buffers& buffers, Sink& out);
void whole_iterator(const std::string& path, Buffers& buffers, Sink& out);
void whole_rdbuf(const std::string& path, Buffers& buffers, Sink& out);
void whole_file_size(const std::string& path, Buffers& buffers, Sink& out);
void whole_fread(const std::string& path, Buffers& buffers, Sink& out);
void whole_read(const std::string& path, Buffers& buffers, Sink& out);
void whole_fstat_read(const std::string& path, Buffers& buffers, Sink& out);
void whole_mmap(const std::string& path, Buffers& buffers, Sink& out);
void whole_mmap_copy(const std::string& path, Buffers& buffers, Sink& out);

// read_block.cpp
std::unique_ptr<Task> blocks_ifstream(const Plan& plan);
std::unique_ptr<Task> blocks_fread(const Plan& plan);
std::unique_ptr<Task> blocks_pread(const Plan& plan);
std::unique_ptr<Task> blocks_mmap(const Plan& plan);
std::unique_ptr<Task> blocks_pread_random(const Plan& plan);
std::unique_ptr<Task> blocks_mmap_copy(const Plan& plan);
std::unique_ptr<Task> blocks_mmap_random(const Plan& plan);
std::unique_ptr<Task> blocks_mmap_sequential(const Plan& plan);

// lines.cpp
void lines_std_getline(const std::string& path, Buffers& buffers, Sink& out);
void lines_posix_getline(const std::string& path, Buffers& buffers, Sink& out);
void lines_fgets(const std::string& path, Buffers& buffers, Sink& out);
void lines_memchr(const std::string& path, Buffers& buffers, Sink& out);

// search.cpp
void search_getline(const std::string& path, Search& search, Sink& out);
void search_read(const std::string& path, Search& search, Sink& out);
void search_mmap(const std::string& path, Search& search, Sink& out);

// open_missing.cpp
void missing_ifstream(const std::string& path);
void missing_fopen(const std::string& path);
void missing_posix(const std::string& path);

// create.cpp
std::unique_ptr<Task> create_ofstream(const Plan& plan);
std::unique_ptr<Task> create_fopen(const Plan& plan);
std::unique_ptr<Task> create_posix(const Plan& plan);
std::string content_to_create(std::uint64_t length);

// write_block.cpp
std::unique_ptr<Task> write_pwrite(const Plan& plan);
std::unique_ptr<Task> write_ofstream(const Plan& plan);
std::unique_ptr<Task> write_fwrite(const Plan& plan);

// copy.cpp
std::unique_ptr<Task> copy_filesystem(const Plan& plan);
std::unique_ptr<Task> copy_rdbuf(const Plan& plan);
std::unique_ptr<Task> copy_read_write(const Plan& plan);

// template.cpp
void render_embedded(const std::string& path, Buffers& buffers, Sink& out);
void render_ifstream(const std::string& path, Buffers& buffers, Sink& out);
std::string render(std::string page);

// null_write.cpp
std::unique_ptr<Task> make_null_create(const Plan& plan);
std::unique_ptr<Task> make_null_write_block(const Plan& plan);

// null.cpp
std::unique_ptr<Task> make_null(const Plan& plan);

}  // namespace driver
