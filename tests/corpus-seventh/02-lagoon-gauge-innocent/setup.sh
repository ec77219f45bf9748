cat > sensor.sh <<'X'
i=$1
printf 'level %d cm at %02d:%02d %0*d\n' $((120 + i * 17 % 40)) $((i / 2)) $((i % 2 * 30)) $((1 + i * 7 % 30)) 0 >> gauge.txt
X
