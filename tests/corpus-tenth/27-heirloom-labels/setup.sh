mkdir -p labels
rm -f labels/*
i=1
while [ $i -le 8 ]; do printf '{"item": "heirloom %d", "owner": "aunt %d", "value": %d}\n' $i $((i % 3)) $((i * 110)) > labels/h$i.json; i=$((i + 1)); done
printf 'h1 aunt9 200\nh2 cousin1 310\nh4 cousin2 90\nh5 aunt2 75\nh6 uncle5 1200\nh7 aunt9 40\nh8 cousin1 66\nh3 uncle5 18\n' > gifts.txt
