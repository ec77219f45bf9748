echo "line 0" > log
