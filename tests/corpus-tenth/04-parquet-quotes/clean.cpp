// Writes a quotation for parquet floors, room by room.
#include <cstdio>
#include <fstream>
#include <map>
#include <string>
#include <unistd.h>

class Sheet {
public:
    explicit Sheet(const char *path) : file(std::fopen(path, "w")) {}
    ~Sheet()
    {
        if (file)
            std::fclose(file);
    }
    bool ok() const { return file != nullptr; }

    void heading(const std::string &text)
    {
        std::fprintf(file, "%s\n", text.c_str());
    }

    void amount(const char *label, double value)
    {
        std::fprintf(file, "  %-12s %9.2f\n", label, value);
    }

private:
    FILE *file;
};

int main()
{
    const std::map<std::string, double> price = {{"ash", 41.5}, {"oak", 58.0}};
    std::ifstream rooms("rooms.txt");
    Sheet sheet("quote.txt");
    if (!rooms || !sheet.ok())
        return 1;

    std::string name, wood;
    double length, width, total = 0;
    int count = 0;
    while (rooms >> name >> length >> width >> wood) {
        double cost = length * width * price.at(wood);
        sheet.heading(name + " in " + wood);
        sheet.amount("floor", cost);
        total += cost;
        count++;
    }
    std::printf("%d rooms, %.2f in all\n", count, total);
}
