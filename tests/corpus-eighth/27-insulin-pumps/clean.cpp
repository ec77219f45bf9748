// Applies the doctor's orders to the settings files of insulin pumps.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <fcntl.h>
#include <unistd.h>

using Settings = std::map<std::string, std::string>;

static Settings load(const std::string &path)
{
    std::ifstream in(path);
    Settings s;
    std::string key, value;
    while (in >> key >> value)
        s[key] = value;
    return s;
}

static void save(const std::string &path, const Settings &s)
{
    std::ostringstream text;
    for (const auto &[key, value] : s)
        text << key << ' ' << value << '\n';
    const std::string fresh = path + ".new", all = text.str();
    int fd = open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0 || write(fd, all.data(), all.size()) != static_cast<ssize_t>(all.size()))
        throw std::runtime_error("cannot write " + fresh);
    if (fsync(fd) < 0 || close(fd) < 0)
        throw std::runtime_error("cannot write " + fresh);
    std::filesystem::rename(fresh, path);
}

int main()
{
    std::ifstream orders("orders.txt");
    int pump, done = 0;
    std::string key, value;
    while (orders >> pump >> key >> value) {
        const std::string path = "pumps/p" + std::to_string(pump) + ".conf";
        Settings s = load(path);
        const std::string before = s[key];
        s[key] = value;
        save(path, s);
        std::cout << "pump " << pump << ": " << key << ' ' << before << " -> " << value << '\n';
        done++;
    }
    int dir = open("pumps", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir < 0 || fsync(dir) < 0)
        throw std::runtime_error("cannot sync pumps");
    close(dir);
    std::cout << done << " orders applied\n";
}
