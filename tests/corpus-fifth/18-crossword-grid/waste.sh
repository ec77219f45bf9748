#!/bin/sh
# Draws an empty crossword as an SVG picture, square by square.
set -eu

cell=20
dark=0
light=0
rows=$(cat grid.txt)

# square X Y CLASS
square() {
    printf '<rect x="%d" y="%d" width="%d" height="%d"' "$1" "$2" "$cell" "$cell"
    printf ' class="%s"' "$3"
    printf '/>\n'
}

draw() {
    printf '<svg xmlns="http://www.w3.org/2000/svg">\n'
    y=0
    for row in $rows; do
        x=0
        while [ -n "$row" ]; do
            rest=${row#?}
            case $row in
            '#'*)
                square "$x" "$y" dark
                dark=$((dark + 1))
                ;;
            *)
                square "$x" "$y" light
                light=$((light + 1))
                ;;
            esac
            row=$rest
            x=$((x + cell))
        done
        y=$((y + cell))
    done
    printf '</svg>\n'
}

draw > crossword.svg

echo "$dark dark squares, $light light ones"
wc -l -c crossword.svg
cksum < crossword.svg
