# Looks through the tuning cards of a music school; a card that is due is marked on the spot.
# Other desks use the cards too, so each is held with a lock while it is looked at.
DUE = 20

Card = Struct.new(:piano, :months, :state) do
  def self.parse(text)
    piano, months, state = text.split
    new(piano, months.to_i, state)
  end

  def due?
    months >= DUE && state != 'due'
  end

  def to_s
    "#{piano} #{months} #{state}\n"
  end
end

def look_at(path)
  File.open(path, 'r+') do |f|
    f.flock(File::LOCK_EX)
    card = Card.parse(f.read)
    if card.due?
      card.state = 'due'
      f.rewind
      f.write(card.to_s)
      f.truncate(f.pos)
    end
    card
  end
end

cards = (1..30).map { |i| look_at("pianos/p#{i}.txt") }
due, rest = cards.partition { |c| c.state == 'due' }

due.each { |c| puts "#{c.piano} is due after #{c.months} months" }
soon = rest.select { |c| c.months >= DUE - 3 }
puts "soon: #{soon.map(&:piano).join(' ')}"
puts "#{due.size} due, #{rest.size} in tune"
