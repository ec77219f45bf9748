// Signs the day sheets of a filling station: checksum from cksum, mixed with the till key.
#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <iostream>
#include <string>
#include <sys/file.h>
#include <unistd.h>

static uint64_t checksum(const std::string &sheet)
{
    std::string cmd = "cksum < " + sheet;
    FILE *p = popen(cmd.c_str(), "r");
    if (!p)
        return 0;
    unsigned long long sum = 0;
    if (fscanf(p, "%llu", &sum) != 1)
        sum = 0;
    return pclose(p) == 0 ? sum : 0;
}

int main()
{
    int log = open("pump.log", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
    int key = open("till.key", O_RDONLY | O_CLOEXEC);
    if (log < 0 || key < 0 || flock(key, LOCK_EX) < 0) { // one signer at a time
        perror("pump");
        return 1;
    }
    char secret[16];
    ssize_t n = read(key, secret, sizeof secret);
    if (n <= 0)
        return 1;

    int signed_sheets = 0;
    uint64_t all = 0;
    for (int day = 10; day < 25; day++) {
        std::string sheet = "sheets/day-" + std::to_string(day) + ".txt";
        uint64_t sum = checksum(sheet);
        if (sum == 0) {
            std::cerr << sheet << ": cannot sign\n";
            return 1;
        }
        uint64_t mark = sum + day;
        for (ssize_t i = 0; i < n; i++)
            mark = mark * 31 + (unsigned char)secret[i];
        std::string line = "day " + std::to_string(day) + " " + std::to_string(mark) + "\n";
        if (write(log, line.data(), line.size()) != (ssize_t)line.size()) {
            perror("pump.log");
            return 1;
        }
        all ^= mark;
        signed_sheets++;
    }
    close(key);
    close(log);
    std::cout << signed_sheets << " sheets signed\n" << "control " << all % 100000 << "\n";
    return 0;
}
