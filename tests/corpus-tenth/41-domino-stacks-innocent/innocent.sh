# Merges stacks of dominoes: in every round the two smallest stacks become one,
# until only one stack is left. The name of a stack begins with its height.
set -eu

LC_ALL=C
export LC_ALL

height() {
    name=${1##*/}
    name=${name%%-*}
    while [ "${name#0}" != "$name" ]; do
        name=${name#0}
    done
    echo "$name"
}

rounds=0
moved=0
while :; do
    set -- stacks/*-s*
    if [ $# -eq 1 ]; then
        break
    fi
    a=$(height "$1")
    b=$(height "$2")
    sum=$((a + b))
    rounds=$((rounds + 1))
    cat "$1" "$2" > merged
    rm "$1" "$2"
    mv merged "stacks/$(printf '%03d' "$sum")-s$((100 + rounds))"
    moved=$((moved + sum))
done

echo "$rounds rounds, $moved dominoes moved"
echo "last stack: $(height "$1") dominoes, $(sort -u "$1" | wc -l) different"
