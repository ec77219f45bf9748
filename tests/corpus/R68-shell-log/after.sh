# One redirection for the whole loop.
number=0
while [ $number -lt 30 ]; do
	echo "line $number"
	number=$((number + 1))
done >> log
wc -c < log
