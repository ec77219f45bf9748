# Enters the sales of the year in the deeds of the vineyard; each deed is kept only here.

sold=0
rows_now=0
most=0
largest=none

transfer() {
    deed=deeds/$1.deed
    case $3 in
    '' | *[!0-9]*)
        echo "$1: not a number of rows: $3" >&2
        return 1
        ;;
    esac
    sed -e "/^owner /{h;s/owner/former/;x;s/ .*/ $2/;G;}" \
        -e "s/^rows .*/rows $3/" "$deed" > "$deed.new" || return 1
    mv -f "$deed.new" "$deed" || return 1
    echo "$1: $2 is the owner of $3 rows"
}

set -- $(cat sales.txt)
while [ $# -ge 3 ]; do
    transfer "$1" "$2" "$3" || exit 1
    sold=$((sold + 1))
    rows_now=$((rows_now + $3))
    if [ "$3" -gt "$most" ]; then
        most=$3
        largest=$1
    fi
    shift 3
done

echo "$sold deeds entered, $rows_now rows, most of them in $largest"
