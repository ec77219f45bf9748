mkdir fixtures
i=0; while [ $i -lt 24 ]; do seq $i 9000 > fixtures/case$i.json; i=$((i+1)); done
