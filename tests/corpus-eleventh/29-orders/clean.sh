#!/bin/sh
# orders: prices the ordered articles by the catalog and sums them up.
# usage: orders.sh CATALOG ORDERS OUT
set -eu

catalog=${1:-catalog.csv}
orders=${2:-orders.txt}
out=${3:-priced.csv}

die() {
    echo "orders: $*" >&2
    exit 1
}

[ -r "$catalog" ] || die "no catalog $catalog"
[ -r "$orders" ] || die "no orders $orders"

price_all() {
    awk -F, '
        NR == FNR { row[$1] = $0; next }
        { print ($1 in row) ? row[$1] : $1 ",unknown,0" }
    ' "$catalog" "$orders"
}

price_all >"$out.tmp"
mv "$out.tmp" "$out"

awk -F, '
    $2 == "unknown" { unknown++; next }
    { n++; cents += $3 }
    END {
        printf "%d priced, %d unknown, sum %d.%02d\n", n, unknown, cents / 100, cents % 100
    }
' "$out"
