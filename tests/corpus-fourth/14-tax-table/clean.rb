require 'yaml'

module Tax
  def self.rates
    @rates ||= YAML.safe_load(File.read('config/tax.yml'))
  end

  def self.of(kind, cents)
    (cents * rates.fetch(kind) / 100.0).round
  end
end

net = tax = 0
File.foreach('lines.csv', chomp: true) do |line|
  _, kind, cents = line.split(',')
  net += cents.to_i
  tax += Tax.of(kind, cents.to_i)
end
puts format('net %.2f tax %.2f', net / 100.0, tax / 100.0)
