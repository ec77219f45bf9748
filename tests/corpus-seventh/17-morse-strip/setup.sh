awk 'BEGIN { split("... --- .-. - .- -.-. ..- -.. .", m, " "); for (i = 0; i < 240; i++) printf "%s%s", m[1 + i * 5 % 9], (i % 6 == 5 ? "/" : " ") }' > strip.txt
