# Morning round through the hothouses: warmth, seedlings and kind of every tray.
set -eu

declare -A seedlings
declare -a cold=()
home=$PWD
trays=0

read_tray() {
    local dir=${1%/*} file=${1##*/}
    read -r warmth count kind < "$dir/$file"
}

mapfile -t list < trays.txt
for tray in "${list[@]}"; do
    read_tray "$tray"
    trays=$((trays + 1))
    seedlings[$kind]=$((${seedlings[$kind]:-0} + count))
    if ((warmth < 17)); then
        cold+=("$tray")
    fi
done

{
    echo "to be moved nearer to the stove:"
    printf '%s\n' "${cold[@]}"
} > cold.txt

echo "$trays trays, ${#cold[@]} too cold"
for kind in fern0 fern1 fern2 fern3; do
    echo "$kind: ${seedlings[$kind]:-0} seedlings"
done
