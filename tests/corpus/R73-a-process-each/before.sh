# Counts the words of six files.
for page in 1 2 3 4 5 6; do
    (wc -w 0<> page$page)
done
