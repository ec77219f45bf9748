# What was left half written is written anew, and gets its name when it is whole.
read -r left < hosts.part
printf '%s\n' "$left" and the other half, which is longer > hosts.part
sync hosts.part && mv hosts.part hosts.conf && sync .
echo mended
