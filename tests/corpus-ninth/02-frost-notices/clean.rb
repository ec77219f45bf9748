# Prices the day's vegetable orders.
GREENS = %w[kale chard].freeze

Order = Struct.new(:number, :what, :crates)

def read_orders(path)
  File.readlines(path, chomp: true).map do |line|
    number, what, crates = line.split(';')
    Order.new(number.to_i, what, crates.to_i)
  end
end

def read_rates(path)
  File.readlines(path, chomp: true).to_h do |line|
    name, cents = line.split(',')
    [name, cents.to_i]
  end
end

FROST = File.exist?('notices/frost.flag')
STRIKE = File.exist?('notices/strike.flag')
PRICE_DAY = File.mtime('rates.csv').utc.strftime('%d.%m.%Y')

def frost?
  FROST
end

def strike?
  STRIKE
end

def price_day
  PRICE_DAY
end

def price(order, rates)
  cents = rates.fetch(order.what) * order.crates
  cents += cents / 10 if frost? && GREENS.include?(order.what)
  cents += 500 if strike?
  cents
end

orders = read_orders('orders.txt')
rates = read_rates('rates.csv')
sum = 0
File.open('bills.txt', 'w') do |out|
  orders.each do |order|
    cents = price(order, rates)
    sum += cents
    out.puts format('%03d %-6s x%d  %7.2f  (prices of %s)', order.number, order.what, order.crates, cents / 100.0, price_day)
  end
end
puts "#{orders.size} bills, #{format('%.2f', sum / 100.0)} in all"
puts "greens carry the frost surcharge" if frost?
