// Computes the widths of all labels of a dialog.
#include <array>
#include <fstream>
#include <iostream>
#include <string>

using Widths = std::array<int, 256>;

static bool read_font(const std::string &path, Widths &w)
{
    std::ifstream in(path);
    if (!in)
        return false;
    int code, width;
    while (in >> code >> width)
        w[code & 255] = width;
    return true;
}

class Fonts {
    Widths builtin{};
    Widths user{};

public:
    Fonts()
    {
        read_font("theme/builtin.font", builtin);
    }

    const Widths &current()
    {
        if (read_font("theme/user.font", user))
            return user;
        return builtin;
    }
};

int main()
{
    Fonts fonts;
    std::ifstream labels("labels.txt");
    std::string text;
    int widest = 0, n = 0;
    while (std::getline(labels, text)) {
        const Widths &w = fonts.current();
        int width = 0;
        for (unsigned char c : text)
            width += w[c];
        widest = std::max(widest, width);
        n++;
    }
    std::cout << n << " labels, the widest has " << widest << " px\n";
}
