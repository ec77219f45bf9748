# Required by the program.

def required(path)
  12.times { File.exist?(path) } # REQUIRED
end
