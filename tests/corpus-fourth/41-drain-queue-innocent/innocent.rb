# Works until the directory of jobs is empty; a job may leave jobs that are smaller.
rounds = 0
done = 0
until (names = Dir.children('jobs').sort).empty?
  rounds += 1
  names.each do |name|
    path = File.join('jobs', name)
    size = File.read(path).to_i
    File.delete(path)
    done += 1
    File.write("#{path}#{size}", size - 1) if size > 1
  end
end
puts "#{done} jobs in #{rounds} rounds"
