: > archive.idx; : > archive.mbx; off=0
i=1; while [ $i -le 180 ]; do
  m="From: user$i@example.org
Subject: number $i

body of message $i
"
  printf '%s' "$m" >> archive.mbx; echo "$off ${#m}" >> archive.idx; off=$((off + ${#m})); i=$((i+1))
done
