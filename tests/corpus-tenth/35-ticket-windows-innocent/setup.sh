cat > window.sh <<'E'
# window.sh NUMBER FIRST COUNT: sells tickets, each is printed on the tape at descriptor 4
sold=0
number=$2
while [ $sold -lt "$3" ]; do
    echo "window $1 ticket $number" >&4
    number=$((number + 1))
    sold=$((sold + 1))
done
echo "window $1 sold $sold"
E
