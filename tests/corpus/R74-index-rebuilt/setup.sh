seq 400 > words
seq 400 > index
touch -d "2026-01-05 10:00" words
touch -d '2026-01-05 10:07' index
