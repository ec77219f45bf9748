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

static void wait_for_recipe()
{
    while (!std::filesystem::exists(RECIPE))
        std::this_thread::sleep_for(8ms);
}

int main()
{
    pid_t planner = fork();
    if (planner < 0)
        return 1;
    if (planner == 0)
        _exit(plan());

    wait_for_recipe();

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
