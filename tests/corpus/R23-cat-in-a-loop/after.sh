# The settings, once.
settings=$(cat settings)
for step in 1 2 3 4 5 6 7 8; do
    sum=$((sum + ${#settings}))
done
echo "sum $sum"
