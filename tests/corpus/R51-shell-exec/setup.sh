mkdir lists
for day in $(seq 24); do printf 'a %s\nb %s\nc %s\n' $day $day $day > lists/$day; done
