# Counts the words of one, which it may write to another time.
wc -w 0<> page1
