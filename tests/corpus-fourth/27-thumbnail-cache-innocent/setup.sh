mkdir images cache
i=0; while [ $i -lt 20 ]; do seq $i 300 > images/i$i.raw; i=$((i+1)); done
: > cache/i4.thumb
