mkdir -p site/assets
i=0; while [ $i -lt 80 ]; do echo "module $i { color: #$i$i$i }" > site/assets/m$i.css; i=$((i+1)); done
: > site/assets/m7.css
