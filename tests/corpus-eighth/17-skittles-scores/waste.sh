#!/bin/sh
# Table of a skittles league: throws, pins and full houses of each team.
set -eu

full=0
throws=0
t0=0 t1=0 t2=0 t3=0 t4=0 t5=0
while read -r team first second third; do
  pins=$((first + second + third))
  throws=$((throws + 3))
  case $team in
    team0) t0=$((t0 + pins)) ;;
    team1) t1=$((t1 + pins)) ;;
    team2) t2=$((t2 + pins)) ;;
    team3) t3=$((t3 + pins)) ;;
    team4) t4=$((t4 + pins)) ;;
    team5) t5=$((t5 + pins)) ;;
  esac
  for n in $first $second $third; do
    [ "$n" -eq 9 ] && full=$((full + 1))
  done
done < scores.txt

{
  echo "team0 $t0"
  echo "team1 $t1"
  echo "team2 $t2"
  echo "team3 $t3"
  echo "team4 $t4"
  echo "team5 $t5"
} > table.txt

best=$(sort -k2,2nr -k1,1 table.txt | head -n 1)
cat table.txt
echo "$throws throws, $full times nine, leader ${best%% *}"
