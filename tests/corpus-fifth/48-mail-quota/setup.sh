b=var/mail/vhosts/example.org/users
for u in amy bob cas; do
  mkdir -p $b/$u/cur
  i=1; while [ $i -le 40 ]; do echo "mail $i of $u, $((i * 7919 % 1000))" > $b/$u/cur/$i.eml; i=$((i + 1)); done
done
