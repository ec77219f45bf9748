echo "first line" > log
