rm -rf maze
mkdir -p maze/north/east/south maze/north/west maze/south/west/north
ln -s ../../south maze/north/west/trap
ln -s ../../../north maze/south/west/north/mirror
ln -s ../.. maze/north/east/up
i=0
echo maze > plan.txt
while [ $i -lt 8 ]; do
  for d in north west trap west north mirror east up; do echo $d; done
  [ $i = 3 ] && echo window
  i=$((i + 1))
done >> plan.txt
