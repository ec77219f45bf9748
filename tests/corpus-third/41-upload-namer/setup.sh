mkdir uploads
for i in 1 2 3; do echo old > uploads/scan-$i.pdf; done
i=1; while [ $i -le 60 ]; do echo "doc$((i%7)).pdf"; i=$((i+1)); done > incoming.txt
