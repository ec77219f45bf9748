i=1
while [ $i -le 55 ]; do
  mkdir -p plays/play$i
  printf 'KASPER: hello\nWITCH: %d times\nKASPER: go away\n' $i > plays/play$i/script.txt
  echo "Puppet play $i" > plays/play$i/title
  i=$((i + 1))
done
