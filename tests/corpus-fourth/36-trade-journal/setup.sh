: > trades.txt
