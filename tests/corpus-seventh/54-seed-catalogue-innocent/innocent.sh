# Joins the seeds in stock with this year's prices.
set -eu

scratch=$(mktemp -d ./scratch.XXXXXX)
trap 'rm -rf "$scratch"' EXIT

sort stock.txt > "$scratch/stock.sorted"
sort prices.txt > "$scratch/prices.sorted"

join "$scratch/stock.sorted" "$scratch/prices.sorted" > catalogue.txt

cut -d' ' -f1 "$scratch/stock.sorted" > "$scratch/stock.names"
cut -d' ' -f1 "$scratch/prices.sorted" > "$scratch/prices.names"

unpriced=$(comm -23 "$scratch/stock.names" "$scratch/prices.names")
missing=$(comm -13 "$scratch/stock.names" "$scratch/prices.names")

value=0
seeds=0
while read -r name packets price; do
    value=$((value + packets * price))
    seeds=$((seeds + 1))
done < catalogue.txt

{
    echo "seeds in the catalogue: $seeds"
    echo "worth: $value"
    echo "without a price: $unpriced"
    echo "not in stock: $missing"
} > summary.txt

cat summary.txt
