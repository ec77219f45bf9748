#!/bin/bash
# Table of contents for the levels of a game.
cells=0
bosses=0
for l in {1..30}; do
    read -r size boss < levels/l$l/meta
    cells=$(( cells + ${size#size=} * ${size#size=} ))
    (( ${boss#boss=} == 3 )) && bosses=$(( bosses + 1 ))
done
echo "30 levels, $cells cells, $bosses with a dragon"
