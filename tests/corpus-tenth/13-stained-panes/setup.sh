mkdir -p panes
i=1
while [ $i -le 64 ]; do
  case $((i % 5)) in 0) g=ruby;; 1|2) g=cobalt;; *) g=amber;; esac
  printf 'glass %s\nwidth %d\nheight %d\nlead %d\n' $g $((i % 9 + 4)) $((i % 7 + 5)) $((i % 3)) > panes/p$i.pane
  i=$((i + 1))
done
: > panes/README
