cat > cliff.sh <<'X'
n=$1
while [ $n -gt 0 ]; do
  echo "cliff $1 answers $n"
  n=$((n - 1))
done
X
