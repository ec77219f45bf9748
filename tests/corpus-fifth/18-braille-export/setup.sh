awk 'BEGIN{for(i=0;i<60;i++)print "the quiet reader of page " i " turns over"}' > book.txt
