mkdir -p leaflets cache
rm -f cache/*
i=1
while [ $i -le 14 ]; do printf '# Walk %d\nFollow the {colour} marks for {hours} hours.\n' $i > leaflets/w$i.tpl; i=$((i + 1)); done
: > cache/w5.html
for i in 7 9; do
  printf '<article>\n<h1>Walk %d</h1>\nFollow the yellow marks for three hours.\n</article>\n' $i > body
  sum=$(gzip -c body | tail -c 8 | od -An -tu4 -N4)
  key=$(md5sum < leaflets/w$i.tpl)
  { echo "<!-- ${key%% *} ${sum##* } -->"; cat body; } > cache/w$i.html
done
rm body
