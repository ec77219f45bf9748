# Loads items in batches of twenty.
require 'tempfile'

class Loader
  attr_reader :rows, :total

  def initialize
    @rows = 0
    @total = 0
  end

  def statement(batch)
    values = batch.map { |id, name, price| "(#{id}, '#{name}', #{price})" }
    "INSERT INTO items VALUES #{values.join(', ')};"
  end

  def load(batch)
    sql = statement(batch)
    dump = Tempfile.new('batch')
    dump.write(sql)
    dump.flush
    execute(sql)
    dump.close!
  end

  def execute(sql)
    sql.scan(/, (\d+)\)/) { |(price)| @total += price.to_i }
    @rows += sql.count('(')
  end
end

loader = Loader.new
File.readlines('items.csv', chomp: true).map { |l| l.split(',') }.each_slice(20) { |b| loader.load(b) }
puts "#{loader.rows} rows, total #{loader.total}"
