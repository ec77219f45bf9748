mkdir -p mods/user mods/hd mods/winter mods/patch mods/base
for i in $(seq 1 60); do head -c $((200 + i)) /dev/zero | tr '\0' "$((i % 10))" > mods/base/wall$i.tex; done
for i in 4 9 33; do echo "hd wall $i" > mods/hd/wall$i.tex; done
for i in 9 21; do echo "patched $i" > mods/patch/wall$i.tex; done
