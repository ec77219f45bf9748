awk 'BEGIN { split("add sub move store jump halt", w, " "); for (i = 0; i < 160; i++) { s = w[i % 6 + 1] (i * 37 % 1000); printf "%02d%s", length(s), s } }' > tape.bin
