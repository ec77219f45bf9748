printf 'low 10\nhigh 80\n' > limits.txt
cat > batch.sh <<'E'
n=$1
case $n in
7) printf 'low 20\nhigh 75\n# night\n' > limits.txt ;;
16) printf 'low 5\nhigh 95\n# spring tide\n' > limits.txt ;;
esac
i=0
while [ $i -lt 6 ]; do echo $(((n * 37 + i * 23) % 100)); i=$((i + 1)); done
E
