mkdir spool
i=0; while [ $i -lt 40 ]; do echo '%!PS' > spool/j$i.ps; i=$((i+2)); done
