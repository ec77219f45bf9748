#include <cstdio>
#include <fcntl.h>
#include <map>
#include <optional>
#include <string>
#include <unistd.h>

struct Pattern {
    int pairs = 0;
    int pins = 0;
    std::string ground;
};

static std::optional<Pattern> load(const std::string &path) {
    int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return std::nullopt;
    char text[4096];
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    if (n <= 0) return std::nullopt;
    text[n] = '\0';
    Pattern p;
    char ground[64];
    if (sscanf(text, "pairs=%d pins=%d ground=%63s", &p.pairs, &p.pins, ground) != 3)
        return std::nullopt;
    p.ground = ground;
    return p;
}

int main() {
    std::map<std::string, int> bobbins;
    int widest = 0;
    for (int i = 0; i < 48; i++) {
        auto p = load("lace/pattern" + std::to_string(i) + ".lace");
        if (!p) {
            printf("pattern %d cannot be read\n", i);
            continue;
        }
        bobbins[p->ground] += 2 * p->pairs;
        if (p->pins > widest) widest = p->pins;
    }
    for (const auto &[ground, count] : bobbins)
        printf("%s wants %d bobbins\n", ground.c_str(), count);
    printf("widest pricking: %d pins\n", widest);
    return 0;
}
