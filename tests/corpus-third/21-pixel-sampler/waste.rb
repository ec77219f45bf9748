# Estimates the brightness of a raw scan from random rows.
class Scan
  ROW = 256

  def initialize(path)
    @io = File.open(path, 'rb')
    @rows = @io.size / ROW
  end

  attr_reader :rows

  def row(n)
    @io.sysseek(n * ROW)
    @io.sysread(ROW)
  end

  def close
    @io.close
  end
end

scan = Scan.new(File.expand_path('scan.raw'))
rng = Random.new(42)
sum = 0
120.times do
  sum += scan.row(rng.rand(scan.rows)).sum
end
scan.close
puts "sampled 120 of #{scan.rows} rows, mean #{sum / (120 * Scan::ROW)}"
