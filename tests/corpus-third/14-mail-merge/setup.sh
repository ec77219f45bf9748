mkdir letters
printf 'Dear {{.Name}},\nyour balance is {{.Sum}}.\n' > letters/reminder.tmpl
for i in $(seq 1 80); do echo "Person$i $((i*17))"; done > people.txt
