: > trees.txt
i=0
while [ $i -lt 45 ]; do
  mkdir -p rookery/elm$i
  echo elm$i >> trees.txt
  : > rookery/elm$i/egg1; : > rookery/elm$i/egg2
  [ $((i % 4)) = 1 ] && : > rookery/elm$i/chick1
  [ $((i % 7)) = 2 ] && : > rookery/elm$i/chick2
  i=$((i + 1))
done
