# The commands do not get the list.
exec 3< list
while read -r line <&3; do
    /bin/true "$line" 3<&-
done
echo done
