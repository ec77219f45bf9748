mkdir -p var/cache/app/v2/objects/pack
i=1; while [ $i -le 80 ]; do echo "ttl $((i%4))" > var/cache/app/v2/objects/pack/o$i; i=$((i+1)); done
