# The command is there to read it.
exec 3< list
/bin/sh -c 'while read -r line <&3; do echo "$line"; done'
