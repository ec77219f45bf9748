# Three lines, and a command for each.
exec 3< list
while read -r line <&3; do
    /bin/true "$line"
done
echo done
