awk 'BEGIN { at = 0; for (i = 0; i < 90; i++) { s = sprintf("lot %d|start %d|%s\n", i, (i * 53) % 400 + 20, i % 3 ? "chest of drawers" : "clock"); while (length(s) < 700 + (i * 37) % 500) s = s "note " i * 7 ". "; printf "%s", s > "lots.dat"; print i, at, length(s) > "lots.idx"; at += length(s) } }'
i=0
while [ $i -lt 45 ]; do echo "$((i * 67 % 90)) $((i * 29 % 500 + 30))"; i=$((i + 1)); done > bids.txt
