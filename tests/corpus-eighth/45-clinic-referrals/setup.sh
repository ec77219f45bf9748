rm -rf referrals; mkdir referrals
i=1
while [ $i -le 6 ]; do if [ $((i % 2)) -eq 0 ]; then w=cardiology; else w=surgery; fi; echo "patient$i;${w};$((i * 13 % 28 + 1))"; i=$((i + 1)); done > inbox.csv
