mkdir -p q/new q/cur q/done
i=1; while [ $i -le 25 ]; do echo "task $i" > q/new/$(printf %03d $i); i=$((i+1)); done
