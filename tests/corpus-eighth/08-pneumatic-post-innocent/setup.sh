rm -rf tubes; mkdir tubes
i=1
while [ $i -le 20 ]; do p=$i; [ $i -gt 9 ] || p=0$i; set -- "$@" tubes/t$p; i=$((i + 1)); done
mkfifo "$@"
