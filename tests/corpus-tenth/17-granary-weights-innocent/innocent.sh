# Sorts the weight lists of a granary by weight and leaves each heading where it is.

lists=0
stones=0

sort_list() {
    # The heading stays first, sort gets only what follows it.
    {
        IFS= read -r heading
        printf '%s\n' "$heading"
        sort -n -k 1
    } < "$1" > "$2"
}

total() {
    awk 'NR > 1 { n += $1 } END { print n }' "$1"
}

mkdir -p sorted
for list in lists/*.txt; do
    name=${list##*/}
    if ! sort_list "$list" "sorted/$name"; then
        echo "$list: cannot be sorted" >&2
        exit 1
    fi
    stones=$((stones + $(total "sorted/$name")))
    lists=$((lists + 1))
done

lightest=$(sed -n 2p sorted/rye.txt)

echo "$lists lists, $stones stones"
echo "lightest rye: ${lightest% *} in ${lightest#* }"
