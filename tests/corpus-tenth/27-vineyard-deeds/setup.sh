mkdir -p deeds
rm -f deeds/*
i=1
while [ $i -le 6 ]; do printf 'parcel %d\nowner family%d\nrows %d\n' $i $i $((i * 12)) > deeds/v$i.deed; i=$((i + 1)); done
printf 'v1 Keller 10\nv2 Baumann 22\nv3 Keller 36\nv4 Roth 40\nv5 Baumann 61\nv6 Roth 70\n' > sales.txt
