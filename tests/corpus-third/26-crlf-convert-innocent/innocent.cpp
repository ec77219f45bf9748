#include <fstream>
#include <iostream>
#include <string>
#include <vector>

class Converter {
    long in_ = 0, out_ = 0;
public:
    void convert(const std::string &name) {
        std::ifstream in("win/" + name, std::ios::binary);
        std::ofstream out("unix/" + name, std::ios::binary);
        std::vector<char> buf(16384), res;
        bool cr = false;
        while (in.read(buf.data(), buf.size()) || in.gcount() > 0) {
            res.clear();
            for (std::streamsize i = 0; i < in.gcount(); i++) {
                char c = buf[i];
                if (cr && c != '\n')
                    res.push_back('\r');
                cr = c == '\r';
                if (!cr)
                    res.push_back(c);
            }
            in_ += in.gcount();
            out_ += res.size();
            out.write(res.data(), res.size());
        }
        out.close();
        if (!out)
            throw std::runtime_error("cannot write " + name);
    }
    void report() const { std::cout << in_ << " -> " << out_ << " bytes\n"; }
};

int main() {
    Converter c;
    for (int i = 1; i <= 6; i++)
        c.convert("t" + std::to_string(i) + ".txt");
    c.report();
}
