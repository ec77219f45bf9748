i=0; while [ $i -lt 20000 ]; do echo "word$((i * 7919 % 20011))"; i=$((i+1)); done > words.lst
