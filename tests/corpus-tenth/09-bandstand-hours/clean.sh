# Checks the concerts of the bandstand against the hours of the season.

late=0
early=0
crowded=0
count=0
missing_chairs=0
notes='Concerts outside the hours:'

apply_season() {
    . ./season.conf
    if [ -f ./season.local ]; then
        . ./season.local
    fi
}

judge() {
    if [ "$2" -lt "$first" ]; then
        early=$((early + 1))
        notes="$notes
$1 at $2: too early"
    elif [ "$2" -gt "$last" ]; then
        late=$((late + 1))
        notes="$notes
$1 at $2: too late"
    fi
    if [ "$3" -gt "$chairs" ]; then
        crowded=$((crowded + 1))
        missing_chairs=$((missing_chairs + $3 - chairs))
    fi
}

apply_season
set -- $(cat concerts.txt)
while [ $# -ge 3 ]; do
    judge "$1" "$2" "$3"
    count=$((count + 1))
    shift 3
done
echo "$notes" > judged.txt

echo "$count concerts, $early too early, $late too late"
echo "$crowded crowded, $missing_chairs chairs short"
