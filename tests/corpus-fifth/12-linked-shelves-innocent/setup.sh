mkdir -p store/a store/b shelves
for i in 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24; do
echo "book $i" > store/a/book$i; ln -s ../store/a/book$i shelves/book$i
done
for i in 1 2 3 4 5 6 7 8; do echo x > store/b/x$i; echo "own $i" > shelves/own$i; done
mkdir shelves/new; ln -s ../store/b shelves/atlas; ln -s ../store/lost shelves/lost
