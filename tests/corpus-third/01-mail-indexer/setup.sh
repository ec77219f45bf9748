mkdir -p inbox/cur
for i in $(seq 100 159); do printf 'From: u%s@example.org\nSubject: note %s\n\nhello\n' $i $i > inbox/cur/$i.mbox.host:2,S; done
