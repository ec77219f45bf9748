: > issue.journal
i=1
while [ $i -le 26 ]; do
  case $((i % 4)) in 0) g=A ;; 1) g=B ;; 2) g=AB ;; 3) g=0 ;; esac
  echo "ward$((i % 6)) $g $((i % 3 + 1))"; i=$((i + 1)); done > requests.txt
