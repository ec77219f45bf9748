// The furnace planner works in a process of its own; the control room waits for its recipe.
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <sys/inotify.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace std::chrono_literals;
static const char *RECIPE = "out/recipe.txt";

static int plan()
{
    std::ifstream in("charge.txt");
    std::ofstream out("out/.recipe");
    std::string stuff;
    int share, step = 1;
    while (in >> stuff >> share) {
        std::this_thread::sleep_for(60ms); // the balance has to settle
        out << "step " << step++ << ": " << share * 12 << " kg " << stuff << "\n";
    }
    out.close();
    return std::rename("out/.recipe", RECIPE) == 0 ? 0 : 1;
}

static void wait_for_recipe(int watch)
{
    alignas(inotify_event) char buf[4096];
    for (;;) {
        ssize_t n = read(watch, buf, sizeof buf);
        for (ssize_t i = 0; i < n;) {
            auto *e = reinterpret_cast<inotify_event *>(buf + i);
            if (e->len && std::string(e->name) == "recipe.txt")
                return;
            i += sizeof *e + e->len;
        }
    }
}

int main()
{
    int watch = inotify_init1(IN_CLOEXEC);
    if (watch < 0 || inotify_add_watch(watch, "out", IN_MOVED_TO) < 0)
        return 1;
    pid_t planner = fork();
    if (planner < 0)
        return 1;
    if (planner == 0)
        _exit(plan());

    wait_for_recipe(watch);

    std::ifstream in(RECIPE);
    std::string line;
    int steps = 0;
    while (std::getline(in, line)) {
        std::cout << line << "\n";
        steps++;
    }
    int status = 0;
    waitpid(planner, &status, 0);
    std::cout << steps << " steps, planner " << (status == 0 ? "well" : "ill") << "\n";
    return 0;
}
