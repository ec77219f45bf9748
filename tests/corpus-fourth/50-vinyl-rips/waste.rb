# Lists the recordings of a record collection.
total = 0
newest = nil
30.times do |i|
  path = "rips/side#{i}.wav"
  File.open(path, 'rb') do |wav|
    head = wav.read(8)
    raise "#{path}: no recording" unless head.start_with?('RIFF')
    total += File.size(path)
    newest = [newest, File.mtime(path)].compact.max
  end
end
puts "30 sides, #{total} bytes, dated #{newest.year > 2000}"
