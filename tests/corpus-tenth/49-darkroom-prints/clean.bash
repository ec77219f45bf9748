# Develops prints in the background while the captions are set.
set -eu

develop() {
    local name=$1
    sleep 0.15
    tr 'a-z' 'A-Z' < "negatives/$name.neg" > "prints/$name.pos"
    sleep 0.07
    : > "prints/$name.done"
}

caption() {
    local name=$1 words
    read -r -a words < "negatives/$name.neg"
    printf 'plate %s, %d words\n' "$name" "${#words[@]}"
}

count=0
letters=0
for negative in negatives/*.neg; do
    name=${negative##*/}
    name=${name%.neg}
    develop "$name" &
    job=$!
    caption "$name" >> captions.txt
    wait "$job"
    read -r text < "prints/$name.pos"
    rm "prints/$name.done"
    letters=$((letters + ${#text}))
    count=$((count + 1))
    echo "$name: $text"
done

echo "$count prints, $letters letters"
echo "captions: $(wc -l < captions.txt)"
