mkdir mail
i=0; while [ $i -lt 60 ]; do echo "From old" > mail/user$i; i=$((i+1)); done
