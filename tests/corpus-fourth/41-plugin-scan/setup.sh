mkdir drivers
i=0; while [ $i -lt 40 ]; do echo "vendor $((i * 3))" > drivers/v$((1000 + i)).drv; i=$((i+1)); done
