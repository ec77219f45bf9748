i=1
while [ $i -le 300 ]; do echo "$((i % 16 + 1)) $((i * 7 % 4)) $((i * 31 % 127))"; i=$((i + 1)); done > score.txt
cat > player.py <<'X'
import sys, time
beats = 0
while True:
    piece = sys.stdin.buffer.read1(65536)
    if not piece:
        break
    beats += piece.count(b'\n')
    time.sleep(0.01)
print('player heard', beats, 'strokes')
X
