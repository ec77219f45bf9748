#!/bin/sh
# Round of a night nurse: at each room whose bell has rung she asks why, and sets the bell back.
set -eu

calm=0
rung=0
fever=0
notes=

visit() {
    read -r hour rest < "$1"
    case $rest in
    *fever) fever=$((fever + 1)); what="cold compress" ;;
    *) what="drops" ;;
    esac
    notes="$notes${1#bells/}: $what at $hour
"
}

room=1
while [ $room -le 40 ]; do
    bell=bells/room$room
    if [ -e "$bell" ]; then
        visit "$bell"
        rm "$bell"
        rung=$((rung + 1))
    else
        calm=$((calm + 1))
    fi
    room=$((room + 1))
done

printf %s "$notes" > night.txt
printf %s "$notes"
echo "$rung bells, $fever of them fever, $calm rooms calm"
