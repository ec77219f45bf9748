seq 1000 > words
