seq 1 60000 > survey.txt
