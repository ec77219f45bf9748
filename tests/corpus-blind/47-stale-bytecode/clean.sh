#!/bin/sh
# Prices five baskets, each by a start of the Python tool.
unset PYTHONDONTWRITEBYTECODE
total=0
for basket in 3 5 7 11 13; do
    price=$(python3 -c "
import tool
print(sum(module.f($basket) for module in tool.ALL))")
    echo "basket $basket: $price"
    total=$((total + price))
done
echo "total $total"
