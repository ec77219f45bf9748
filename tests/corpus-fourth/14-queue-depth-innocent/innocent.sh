#!/bin/sh
# Feeds a queue until it is full; a worker (another process) takes one job away after every third.
full=12
turns=0
put() { echo $(($1 + 1)) > queue.depth; }
worker='read -r d < queue.depth; echo $((d - 1)) > queue.depth'

while read -r depth < queue.depth && [ "$depth" -lt $full ]; do
    put "$depth"
    turns=$((turns + 1))
    [ $((turns % 3)) -eq 0 ] && sh -c "$worker"
done
echo "full after $turns jobs"
