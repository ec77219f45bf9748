# What is counted in a guest: it makes the same calls each time it runs. The files that it reads are below
# the first word, what it writes is below the second.
exec >/dev/null 2>&1
for number in 0 1 2 3 4 5 6 7 8 9 missing; do cat $1/$number; done
find $1 -name '*7'
ls -l $1
cp $1/1 $2/copy
mv $2/copy $2/moved
rm $2/moved
