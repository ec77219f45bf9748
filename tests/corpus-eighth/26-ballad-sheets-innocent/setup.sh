rm -rf sheets modern; mkdir sheets
awk 'BEGIN { for (i = 1; i <= 20; i++) { f = sprintf("sheets/b%02d.txt", i); for (v = 1; v <= 30; v++) printf "%c) The fhip did fail from %d ifles away\n   and fang of fea and falt and fpray\n", 96 + v % 26 + 1, v * i > f; close(f) } }'
