require_relative "lib"

class Store
  def look(path)
    12.times do
      File.exist?(path) # METHOD
    end
  end
end

def look(path)
  i = 0
  while i < 12
    File.exist?(path) # FUNCTION
    i += 1
  end
end

def work
  12.times { File.exist?("thread") } # THREAD
end

look("function")
Store.new.look("method")
required("required")
first = Thread.new { work }
first.join
12.times do
  [
    1,
    File.exist?("lines") # LINES
  ].size
end
child = fork do
  12.times { File.exist?("child") } # CHILD
  exit!(0)
end
Process.wait(child)
