i=1
while [ $i -le 60 ]; do case $((i % 4)) in 0) v0=penicillin ;; 1) v0=latex ;; 2) v0=nuts ;; *) v0=iodine ;; esac; echo "patient$i $v0"; i=$((i + 1)); done > allergies.txt
printf 'add patient61 latex\ndrop patient4 penicillin\nadd patient9 nuts\n' > changes.txt
rm -f work.tmp
