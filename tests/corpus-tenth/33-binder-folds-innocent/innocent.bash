# A bookbinder's list: each sheet is laid on a pile by section and fold; sheets of the
# same section and fold get a letter. The piles are then bound in their order.
set -eu

work=$(mktemp -d /tmp/tenth-folds.XXXXXX)
trap 'rm -rf "$work"' EXIT

lay_down() {
    local sheet=$1 section=$2 fold=$3
    local place="$work/$section.$fold"
    if [ -e "$place" ]; then
        place+=b
        doubles=$((doubles + 1))
        if [ -e "$place" ]; then
            echo "$section has no room for $sheet"
            exit 1
        fi
    fi
    printf '%-8s %-9s fold %d\n' "$sheet" "$section" "$fold" > "$place"
}

doubles=0
mapfile -t sheets < sheets.txt
for line in "${sheets[@]}"; do
    # three words: sheet, section, fold
    lay_down $line
done

cat "$work"/section* > book.txt

declare -A sections
mapfile -t book < book.txt
for line in "${book[@]}"; do
    set -- $line
    sections[$2]=$((${sections[$2]:-0} + 1))
done

largest=0
for n in "${sections[@]}"; do
    if ((n > largest)); then
        largest=$n
    fi
done

echo "${#sheets[@]} sheets in ${#sections[@]} sections, $doubles doubles"
echo "largest section: $largest sheets"
