// Puts the day's dishes on the menu boards; the screens reread a board every second.
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <iostream>
#include <map>
#include <string>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace fs = std::filesystem;

[[noreturn]] static void fail(const std::string &what) {
    throw std::system_error(errno, std::generic_category(), what);
}

static void write_synced(const fs::path &path, const std::string &text) {
    int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd < 0) fail(path);
    size_t done = 0;
    while (done < text.size()) {
        ssize_t n = ::write(fd, text.data() + done, text.size() - done);
        if (n < 0) fail(path);
        done += n;
    }
    if (::fsync(fd) < 0) fail(path);
    ::close(fd);
}

static void sync_dir(const fs::path &dir) {
    int fd = ::open(dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 || ::fsync(fd) < 0) fail(dir);
    ::close(fd);
}

static void show(const fs::path &board, const std::string &text) {
    fs::path fresh = board;
    fresh += ".new";
    write_synced(fresh, text);
    fs::rename(fresh, board);
}

int main() {
    const std::map<std::string, std::vector<std::string>> menu = {
        {"breakfast", {"porridge", "eggs"}}, {"lunch", {"pie", "salad", "noodles"}},
        {"soup", {"leek", "tomato"}},        {"grill", {"trout"}},
        {"dessert", {"plum cake", "ice"}},   {"drinks", {"tea", "cider", "milk"}},
        {"kids", {"pancakes"}},
    };
    size_t dishes = 0;
    for (const auto &[name, list] : menu) {
        std::string text = "today: " + name + "\n";
        for (const auto &dish : list) text += " - " + dish + "\n";
        show(fs::path("boards") / (name + ".txt"), text);
        dishes += list.size();
        std::cout << name << ": " << list.size() << " dishes\n";
    }
    sync_dir("boards");
    std::cout << menu.size() << " boards, " << dishes << " dishes\n";
}
