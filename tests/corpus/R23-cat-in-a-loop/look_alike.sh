# What each step wrote.
for step in 1 2 3 4 5 6 7 8; do
    settings=$(cat settings)
    sum=$((sum + ${#settings}))
    echo "step $step" >> settings
done
echo "sum $sum"
