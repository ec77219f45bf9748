// Takes cancelled jobs out of the spool of a printer.
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

namespace fs = std::filesystem;

struct Spool {
    fs::path dir;

    bool cancel(int job) const
    {
        const fs::path file = dir / ("j" + std::to_string(job) + ".ps");
        if (!fs::exists(file))
            return false;
        fs::remove(file);
        return true;
    }
};

int main()
{
    const Spool spool{"spool"};
    std::vector<int> printed;

    for (int job = 39; job >= 0; job--)
        if (!spool.cancel(job))
            printed.push_back(job);
    std::cout << printed.size() << " jobs were printed already, the last is " << printed.front() << "\n";
}
