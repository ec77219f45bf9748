mkdir -p cues
i=10
while [ $i -le 39 ]; do
  if [ $((i % 7)) -eq 0 ]; then echo "strike $((i + 2)) $((i + 3))"; else echo "light $((i * 3))"; fi > cues/c$i.cue
  i=$((i + 1))
done
cat > play.sh <<'X'
# plays one cue; a cue may strike others
set -- $(cat "$1")
case $1 in
  strike) rm -f "cues/c$2.cue" "cues/c$3.cue" ;;
  light) echo "light at $2" ;;
esac
X
