# Registers the plugins under their real paths, so that none is loaded twice.
registry = {}
Dir.children('active').sort.each do |name|
  real = File.realpath(File.join('active', name))
  next if registry.key?(real)

  registry[real] = File.read(real)[/\d+/].to_i
end
base_dirs = registry.keys.map { |p| File.dirname(p).split('/').last(3).join('/') }.uniq
puts "#{registry.size} plugins, sum #{registry.values.sum}, in #{base_dirs.join(' ')}"
