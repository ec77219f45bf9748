# A child dips the candles layer by layer, the parent weighs them when done.
LAYERS = 5
CANDLES = 12

def dip(layers, candles)
  weights = Array.new(candles, 3)
  layers.times do |layer|
    weights = weights.each_with_index.map { |w, i| w + 4 + (layer * i) % 3 }
    sleep 0.05
  end
  File.write('candles.txt', weights.join("\n") + "\n")
  File.write('done.flag.part', "ok\n")
  File.rename('done.flag.part', 'done.flag')
end

pid = fork do
  dip(LAYERS, CANDLES)
  exit!(0)
end

sleep 0.004 until File.exist?('done.flag')
Process.detach(pid).join

weights = File.readlines('candles.txt').map(&:to_i)
light, heavy = weights.minmax
average = weights.sum.fdiv(weights.size)

puts "#{weights.size} candles of #{LAYERS} layers"
puts format('from %d to %d grams, %.2f on average', light, heavy, average)
puts "odd ones: #{weights.each_index.select { |i| weights[i] < average }.join(' ')}"
