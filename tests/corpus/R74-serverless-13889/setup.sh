mkdir copied hashed
for number in $(seq 0 11); do
	echo "VALUE = $number" > copied/module$number.py
	cp copied/module$number.py hashed/
done
/usr/bin/python3 -m compileall -q --invalidation-mode timestamp copied
/usr/bin/python3 -m compileall -q --invalidation-mode unchecked-hash hashed
touch -d '2001-02-03 04:05:06' copied/*.py
