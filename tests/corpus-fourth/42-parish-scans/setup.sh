i=0; while [ $i -lt 50 ]; do mkdir -p parish/p$i; seq 1 $((i + 20)) > parish/p$i/register.txt; i=$((i+1)); done
