rm -rf posts; mkdir posts
cat > runners.sh <<'X'
for i in 1 2 3 4 5; do
  sleep 0.05
  echo "runner$((i * 3)) $((i * 7 % 5 + 20))" > posts/.post$i
  mv posts/.post$i posts/post$i
done
X
