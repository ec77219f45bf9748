# Bills the meters of a town; the tariffs are Python modules, one call for each meter.
set -eu

python=/root/.pyenv/versions/3.11.7/bin/python3
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE

price() {
    # kind of tariff, units
    "$python" -S -c '
import sys
import tariffs
print(getattr(tariffs, sys.argv[1]).price(int(sys.argv[2])))
' "$1" "$2"
}

bill() {
    echo "$1: $2 units of $3, $4 pence"
}

total=0
houses=0
exec 3< meters.txt
while read -r house kind units <&3; do
    pence=$(price "$kind" "$units")
    case $pence in
        '' | *[!0-9]*)
            echo "no price for $house"
            continue
            ;;
    esac
    bill "$house" "$units" "$kind" "$pence"
    total=$((total + pence))
    houses=$((houses + 1))
done > bills.txt
exec 3<&-

# leave the tariff folder as it is kept in the archive
rm -rf tariffs/__pycache__

echo "$houses houses billed, $total pence"
sed -n 1p bills.txt
