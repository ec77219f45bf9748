awk 'BEGIN { for (n = 0; n < 60; n++) { s = sprintf("core%04d", n); while (length(s) < 1000) s = s (((length(s) * (n + 3)) % 7 < 2) ? "p" : "."); printf "%s", s } }' > cores.bin
