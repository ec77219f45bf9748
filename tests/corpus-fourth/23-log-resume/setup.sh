i=0; while [ $i -lt 130 ]; do echo "$i OK moved pallet $((i * 17 % 400)) to bay $((i % 12))"; i=$((i+1)); done > import.log
