echo 'autosave = /dev/full' > editor.conf
i=0
while [ $i -lt 48 ]; do
  case $((i % 6)) in
  5) echo "change 2 thy summer number $i shall not fade";;
  4) echo "drop 0 -";;
  *) echo "add - line $i compares thee to a day";;
  esac
  i=$((i + 1))
done > keys.txt
