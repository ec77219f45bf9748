# Decides which deferred messages are tried again now and which are returned to their sender.
MAX_TRIES = 5

again = []
returned = []
Dir.children('deferred').sort.each do |name|
  path = File.join('deferred', name)
  next unless File.exist?(path)

  head = File.read(path).split("\n\n", 2).first
  fields = head.lines.to_h { |l| l.chomp.split(': ', 2) }
  (fields['X-Try'].to_i < MAX_TRIES ? again : returned) << fields['To']
end
puts "#{again.size} tried again, #{returned.size} returned: #{returned.first}"
