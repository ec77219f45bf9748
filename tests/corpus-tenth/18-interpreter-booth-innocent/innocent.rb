# Talks with the interpreter's booth: a word at a time, the next chosen by the answer.

class Booth
  def initialize(command)
    @pipe = IO.popen(command, 'r+')
    @pipe.sync = true
  end

  def ask(verb, word)
    @pipe.write("#{verb} #{word}\n")
    answer = @pipe.gets
    raise 'the booth is closed' if answer.nil?
    number, length = answer.split.map(&:to_i)
    [number, length]
  end

  def close
    @pipe.close_write
    rest = @pipe.read
    @pipe.close
    rest.empty? && $?.success?
  end
end

WORDS = %w[bridge of lanterns and a river under seven arches].freeze

booth = Booth.new(['sh', 'booth.sh'])
index = 0
spoken = []
letters = 0
40.times do |turn|
  word = WORDS[index % WORDS.size]
  number, length = booth.ask(turn.even? ? 'ask' : 'say', word)
  raise 'out of step' unless number == turn + 1
  letters += length
  spoken << word
  index += length
end

in_order = booth.close
puts "#{spoken.size} words, #{letters} letters"
puts "last: #{spoken.last(4).join(' ')}"
puts "closed in order: #{in_order}"
