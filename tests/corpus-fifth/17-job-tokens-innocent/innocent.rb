# Kneads the doughs of a bakery with as many hands as there are tokens in a pipe, the way
# make's job server does: one byte is one right to work, taken and given back.
class TokenPool
  def initialize(tokens)
    @reader, @writer = IO.pipe
    @writer.syswrite('+' * tokens)
  end

  def with_token
    token = @reader.sysread(1) # more than one byte would take the rights of others
    yield
  ensure
    @writer.syswrite(token) if token
  end

  # What lies in the pipe at the end.
  def left
    @writer.close
    @reader.read.size
  end
end

Dough = Struct.new(:name, :grams)

def knead(dough)
  (1..dough.grams).reduce { |a, b| (a * 31 + b) % 10_007 }
end

doughs = (1..60).map { |i| Dough.new("dough#{i}", 200 + i * 7) }
queue = Queue.new
doughs.each { |d| queue << d }
queue.close

pool = TokenPool.new(2)
done = Queue.new
workers = 4.times.map do
  Thread.new do
    while (dough = queue.pop)
      pool.with_token { done << [dough.name, knead(dough)] }
    end
  end
end
workers.each(&:join)

results = {}
results.store(*done.pop) until done.empty?
puts "#{results.size} doughs kneaded"
puts "sum #{results.values.sum}, dough7 #{results['dough7']}"
puts "#{pool.left} tokens left"
