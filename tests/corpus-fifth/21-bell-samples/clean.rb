# Plays a melody on sampled bells: picks the sample of each note from one bank file.
class Bank
  SAMPLE = 2048

  def initialize(name)
    @file = File.open(name, 'rb')
    @file.sync = true
  end

  def count
    @file.size / SAMPLE
  end

  def sample(note)
    data = @file.pread(SAMPLE, note * SAMPLE)
    [data[0, 7], data[7..]]
  end

  def close
    @file.close
  end
end

def loudness(body)
  body.each_byte.sum { |b| (b - 78).abs }
end

bank = Bank.new('bells.bank')
notes = File.readlines('melody.txt', chomp: true).map(&:to_i)
last = bank.count
played = Hash.new(0)
total = 0
notes.each do |note|
  raise "no bell #{note}" if note >= last

  name, body = bank.sample(note)
  played[name] += 1
  total += loudness(body)
end
bank.close

puts "#{notes.size} notes on #{played.size} bells"
puts "mean loudness #{total / notes.size}"
puts "highest #{played.keys.max}, lowest #{played.keys.min}"
