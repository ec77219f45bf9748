rm -f desk.log desk.log.*
i=1
while [ $i -le 60 ]; do if [ $((i % 4)) -eq 0 ]; then w=deed; else w=letter; fi; echo "${w} client$((i * 7 % 19)) $((i % 5 + 1))"; i=$((i + 1)); done > work.txt
cat > file-away.sh <<'X'
n=$1
mv desk.log "desk.log.$n"
X
