mkdir -p posts
i=1
while [ $i -le 60 ]; do printf 'post %d\nsalt %d.%d\nwater %d\nplant %s\nwatched by the marsh warden\n' $i $((i * 7 % 33)) $((i % 10)) $((i * 13 % 90)) $([ $((i % 4)) = 0 ] && echo samphire || echo thrift) > posts/m$i.card; i=$((i + 1)); done
