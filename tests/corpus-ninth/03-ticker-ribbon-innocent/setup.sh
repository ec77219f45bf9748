: > ribbon.txt
