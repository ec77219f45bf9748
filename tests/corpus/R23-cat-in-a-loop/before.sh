# The settings, for each of eight steps.
for step in 1 2 3 4 5 6 7 8; do
    settings=$(cat settings)
    sum=$((sum + ${#settings}))
done
echo "sum $sum"
