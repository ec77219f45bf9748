# Each redirection opens the file.
number=0
while [ $number -lt 30 ]; do
	echo "line $number" >> log
	number=$((number + 1))
done
wc -c < log
