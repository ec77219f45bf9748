rm -f halt cloth.txt
cat > check-row <<'END'
n=$1
[ $((n % 21)) -eq 0 ] && echo "thread $((n * 3)) broken" > halt
exit 0
END
