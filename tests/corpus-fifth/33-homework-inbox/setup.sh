mkdir -p inbox marked
chmod 1777 inbox
for n in anna ben carl dora eva; do printf 'name %s\nanswer 42\nanswer 17\nanswer %d\n' $n ${#n} > inbox/$n.txt; done
ln -sf /etc/hostname inbox/zoe.txt
