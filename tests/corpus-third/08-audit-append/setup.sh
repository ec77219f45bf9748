mkdir audit
i=0; while [ $i -lt 40 ]; do echo "created" > audit/user$i.log; i=$((i+1)); done
