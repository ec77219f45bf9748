rm -rf wall; mkdir wall; chmod 1777 wall
echo "taken by the vintner" > wall/slip7
echo "taken by the cooper" > wall/slip19
i=1
while [ $i -le 30 ]; do echo "$((i * 11 % 31)) wine$((i % 9)) $((i * 7 % 20))"; i=$((i + 1)); done > tastings.txt
