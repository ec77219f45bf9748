mkdir saves
for i in $(seq 1 44); do echo "save $i" > saves/slot$i.sav; done
mkdir saves/cloud saves/old saves/screens saves/tmp
