require 'json'

# Loads the dial plan of an exchange from its cache, which is made again when the plan has changed.
def load_plan
  if File.mtime('plan.cache') < File.mtime('plan.txt')
    plan = File.readlines('plan.txt', chomp: true).to_h { |l| l.split }
    File.write('plan.cache', JSON.generate(plan))
    return plan
  end
  JSON.parse(File.read('plan.cache'))
end

first = load_plan
second = load_plan
puts "#{first.size} numbers, #{second['231']} answers 231" if first == second
