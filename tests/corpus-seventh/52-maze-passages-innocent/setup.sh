i=1
mkdir maze
while [ $i -le 20 ]; do
  mkdir -p maze/hall$((i % 4))/room$i
  i=$((i + 1))
done
i=1
while [ $i -le 20 ]; do
  ln -s ../hall$(((i * 3 % 20 + 1) % 4))/room$((i * 3 % 20 + 1)) maze/hall$((i % 4))/door$i
  i=$((i + 1))
done
