#!/bin/sh
# Draws an empty crossword as an SVG picture, square by square.
set -eu

cell=20
dark=0
light=0
rows=$(cat grid.txt)

nl='
'

# square X Y CLASS: adds a square to $svg
square() {
    svg="$svg<rect x=\"$1\" y=\"$2\" width=\"$cell\" height=\"$cell\" class=\"$3\"/>$nl"
}

draw() {
    svg="<svg xmlns=\"http://www.w3.org/2000/svg\">$nl"
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
    printf '%s</svg>\n' "$svg"
}

draw > crossword.svg

echo "$dark dark squares, $light light ones"
wc -l -c crossword.svg
cksum < crossword.svg
