# Opens the ticket windows of a station one after the other; all print on one tape.
set -eu

first=100
windows=0
tickets=0

demand() {
    # the later windows get less to do
    echo $((9 - $1 / 2))
}

exec 4> tape.txt

for window in 1 2 3 4 5 6 7 8 9 10 11 12; do
    count=$(demand "$window")
    sh window.sh "$window" "$first" "$count"
    first=$((first + count))
    tickets=$((tickets + count))
    windows=$((windows + 1))
done

exec 4>&-

lines=$(wc -l < tape.txt)
if [ "$lines" -ne "$tickets" ]; then
    echo "the tape lacks $((tickets - lines)) tickets"
    exit 1
fi
echo "$windows windows, $tickets tickets, all on the tape"
