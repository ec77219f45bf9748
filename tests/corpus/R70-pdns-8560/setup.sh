seq 100 > words
