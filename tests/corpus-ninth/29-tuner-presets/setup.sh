printf '87.5   \n87.5   \n87.5   \n87.5   \n87.5   \n87.5   \n' > presets.dat
i=0
: > dial.txt
while [ $i -lt 60 ]; do
  echo "tune $((88 + i % 20)).$((i % 10))"
  case $i in 9|24|41|58) echo "store $((i % 6)) $((88 + i % 20)).$((i % 10))";; esac
  i=$((i + 1))
done >> dial.txt
