#!/bin/sh
# Table of a skittles league: throws, pins and full houses of each team.
set -eu

eval "$(awk '
  {
    pins[$1] += $2 + $3 + $4
    throws += 3
    for (i = 2; i <= 4; i++)
      if ($i == 9)
        full++
  }
  END {
    for (team in pins)
      printf "%s=%d\n", team, pins[team]
    printf "throws=%d\nfull=%d\n", throws, full
  }
' scores.txt)"

{
  echo "team0 $team0"
  echo "team1 $team1"
  echo "team2 $team2"
  echo "team3 $team3"
  echo "team4 $team4"
  echo "team5 $team5"
} > table.txt

best=$(sort -k2,2nr -k1,1 table.txt | head -n 1)
cat table.txt
echo "$throws throws, $full times nine, leader ${best%% *}"
