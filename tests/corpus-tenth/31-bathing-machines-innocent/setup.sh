rm -rf machines; mkdir machines
i=10
while [ $i -lt 34 ]; do
  echo "wheels $((i % 2 + 2)) hours $((i % 5))" > machines/m$i.slot
  i=$((i+1))
done
i=0; while [ $i -lt 30 ]; do i=$((i+1)); echo "party$i $((i % 4 + 1))"; done > parties.txt
