rm -f dough.txt
cat > knead.rb <<'X'
dough = []
8.times do |i|
  dough << ('flour' * 60_000 + i.to_s)
  sleep 0.03
end
puts dough.sum(&:size)
X
