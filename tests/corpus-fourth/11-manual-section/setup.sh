mkdir man
for i in $(seq 1 40); do echo ".TH TOPIC$i 3" > man/topic$i.3; done
rm man/topic8.3; echo '.TH TOPIC8 1' > man/topic8.1
