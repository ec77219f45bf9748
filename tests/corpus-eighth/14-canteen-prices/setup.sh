rm -f receipts.csv
printf '[meals]\nsoup = 320\npasta = 540\ncurry = 610\nsalad = 450\n[rebate]\nstudent = 40\nstaff = 20\nguest = 0\n' > prices.ini
i=1
while [ $i -le 50 ]; do
  case $((i % 3)) in 0) v4=student ;; 1) v4=staff ;; *) v4=guest ;; esac
  case $((i % 4)) in 0) v0=soup ;; 1) v0=pasta ;; 2) v0=curry ;; *) v0=salad ;; esac
  echo "$i $v0 $v4"
  i=$((i + 1))
done > orders.txt
