#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <queue>
#include <string>
#include <vector>

struct Closer {
    void operator()(FILE *f) const { fclose(f); }
};
using File = std::unique_ptr<FILE, Closer>;

struct Shaft {
    std::string name;
    File in;
    long time = 0;
    double metres = 0;

    bool next() { return fscanf(in.get(), "%ld %lf", &time, &metres) == 2; }
};

static std::string day_name(long time)
{
    std::string command = "date -u -d @" + std::to_string(time) + " +%F";
    char text[32] = "";
    FILE *p = popen(command.c_str(), "r");
    if (!p || !fgets(text, sizeof text, p)) exit(1);
    pclose(p);
    std::string day = text;
    day.pop_back();
    return day;
}

int main()
{
    std::vector<Shaft> shafts;
    for (int i = 0; i < 16; i++) {
        std::string path = "shafts/no" + std::to_string(i) + ".log";
        File in(fopen(path.c_str(), "re"));
        if (!in) { perror(path.c_str()); return 1; }
        shafts.push_back({"no" + std::to_string(i), std::move(in)});
    }
    auto later = [&](size_t a, size_t b) {
        return std::pair(shafts[a].time, a) > std::pair(shafts[b].time, b);
    };
    std::priority_queue<size_t, std::vector<size_t>, decltype(later)> heap(later);
    for (size_t i = 0; i < shafts.size(); i++)
        if (shafts[i].next()) heap.push(i);

    File out(fopen("merged.txt", "we"));
    long today = -1, rows = 0, days = 0;
    double total = 0;
    while (!heap.empty()) {
        size_t i = heap.top();
        heap.pop();
        if (shafts[i].time / 86400 != today) {
            today = shafts[i].time / 86400;
            fprintf(out.get(), "# %s\n", day_name(shafts[i].time).c_str());
            days++;
        }
        fprintf(out.get(), "%ld %s %.1f\n", shafts[i].time, shafts[i].name.c_str(), shafts[i].metres);
        total += shafts[i].metres;
        rows++;
        if (shafts[i].next()) heap.push(i);
    }
    std::cout << rows << " rows of " << days << " days, " << total << " metres dug\n";
}
