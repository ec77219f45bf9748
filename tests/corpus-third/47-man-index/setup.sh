mkdir man
i=1; while [ $i -le 40 ]; do printf '.TH CMD%s 1\n.SH NAME\ncmd%s - does thing %s\n' $i $i $i > man/cmd$i.1; i=$((i+1)); done
touch -d '2024-01-01' man/*.1 man
