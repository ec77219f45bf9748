#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

struct Line {
    int points = 0;
    std::string player;
};

static std::vector<Line> read(const std::string &path)
{
    std::vector<Line> lines;
    std::ifstream in(path);
    for (Line l; in >> l.points >> l.player;)
        lines.push_back(l);
    return lines;
}

// Has the house's sort put the best first, in the file itself.
static bool rank(const std::string &path)
{
    const std::string command = "LC_ALL=C sort -k1,1nr -k2,2 -o " + path + " " + path;
    return std::system(command.c_str()) == 0;
}

static std::size_t placeOf(const std::vector<Line> &lines, const std::string &player)
{
    for (std::size_t i = 0; i < lines.size(); i++)
        if (lines[i].player == player)
            return i;
    return lines.size();
}

int main()
{
    std::size_t moved = 0, players = 0;
    std::string climber;
    std::size_t climbed = 0;
    for (int game = 1; game <= 12; game++) {
        const std::string path = "scores/game" + std::to_string(game) + ".txt";
        const auto before = read(path);
        if (!rank(path))
            return 1;
        const auto after = read(path);
        if (before.size() != after.size())
            return 1;
        for (std::size_t i = 0; i < before.size(); i++) {
            const std::size_t now = placeOf(after, before[i].player);
            moved += now != i;
            if (now < i && i - now > climbed) {
                climbed = i - now;
                climber = before[i].player + " in game " + std::to_string(game);
            }
        }
        players += after.size();
    }
    std::cout << players << " places in 12 games, " << moved << " changed\n";
    std::cout << "greatest climb: " << climber << ", " << climbed << " places\n";
    return 0;
}
