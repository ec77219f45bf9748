mkdir -p cupboards/cook cupboards/window cupboards/cellar cupboards/attic
: > wanted.txt
i=0
while [ $i -lt 40 ]; do
  case $((i % 8)) in 0) d=cook ;; 1) d=window ;; 2|3) d=cellar ;; 7) d= ;; *) d=attic ;; esac
  [ -z "$d" ] || : > cupboards/$d/spice$i.jar
  echo spice$i >> wanted.txt
  i=$((i + 1))
done
: > cupboards/attic/spice0.jar
