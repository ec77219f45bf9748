mkdir -p cache
{ echo "# Notice board of {{town}}"; i=0; while [ $i -lt 40 ]; do echo "* {{day$((i % 7))}}: notice number $i for {{town}}"; i=$((i + 1)); done; } > board.tpl
touch -d '2031-05-01 12:00' board.tpl
