// Takes a short preview at each cue point of a long recording.
#include <cstdint>
#include <fstream>
#include <iostream>
#include <vector>

int main()
{
    std::ifstream cues("cues.txt");
    std::ifstream pcm("session.pcm", std::ios::binary);
    if (!cues || !pcm)
        return 1;
    std::vector<char> preview(4000);
    std::uint64_t energy = 0;
    long at;
    int n = 0;
    while (cues >> at) {
        pcm.seekg(at);
        if (!pcm.read(preview.data(), preview.size())) {
            std::cerr << "cue " << n << " is too near to the end\n";
            return 1;
        }
        for (char c : preview)
            energy += static_cast<unsigned char>(c) * static_cast<unsigned char>(c);
        n++;
    }
    std::cout << n << " previews, energy " << energy << "\n";
}
