rm -rf table; mkdir table; chmod 1777 table
for w in anna bruno clara dora emil frida georg hedwig ivo jana karl lena; do
  echo "the spirit said $w"'
table moved twice' > table/$w.note
done
ln -s anna.note table/moritz.note
ln -s nowhere table/nora.note
