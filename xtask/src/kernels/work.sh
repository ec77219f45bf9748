# What is counted in a guest: it makes the same calls each time it runs.
exec >/dev/null 2>&1
for number in 0 1 2 3 4 5 6 7 8 9 missing; do cat /data/$number; done
find /data -name '*7'
ls -l /data
cp /data/1 /tmp/copy
mv /tmp/copy /tmp/moved
rm /tmp/moved
