awk 'BEGIN {
  split("fern frog gecko", t, " ")
  for (i = 0; i < 72; i++)
    printf "%02d:%02d %s %d\n", i / 3, i % 3 * 20, t[i % 3 + 1], 38 + (i * 29) % 57
}' > readings.txt
