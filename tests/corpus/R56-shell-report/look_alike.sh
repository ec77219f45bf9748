# The names are known, but the directory below /tmp is its own, and nobody else can write in it.
own=$(mktemp -d /tmp/fathom-corpus-XXXXXXXX)
trap 'rm -rf "$own"' EXIT
echo 'one two three' > "$own/report"
read -r words < "$own/report"
echo "reported: $words"
