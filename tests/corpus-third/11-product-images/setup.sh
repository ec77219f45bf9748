mkdir media
for i in $(seq 1 50); do echo "JFIF $i" > media/p$i.jpg; done
