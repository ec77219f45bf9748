# Tasting evening: three judges give points, each wine gets a sheet of its own.
set -eu

begin_sheet() {
    exec {screen}>&1
    exec > "sheets/$1.txt"
}

end_sheet() {
    exec >&"$screen"
}

stars() {
    local n=$1 line=
    while ((n > 0)); do
        line+='*'
        ((n -= 4)) || true
    done
    echo "$line"
}

mkdir -p sheets
mapfile -t wines < wines.txt

best=0
best_name=none
for wine in "${wines[@]}"; do
    set -- $wine
    name=$1 year=$2
    shift 2
    total=0
    begin_sheet "$name"
    echo "$name, $year"
    judge=1
    for points in "$@"; do
        echo "  judge $judge: $points $(stars "$points")"
        total=$((total + points))
        judge=$((judge + 1))
    done
    echo "  total: $total"
    end_sheet
    if ((total > best)); then
        best=$total
        best_name=$name
    fi
done

echo "${#wines[@]} wines tasted"
echo "best: $best_name with $best points"
