# Queue worker: claims a job by renaming it, then does it.
class Queue
  def initialize(root)
    @root = root
  end

  def claim(name)
    File.rename(File.join(@root, 'new', name), File.join(@root, 'cur', name))
    true
  rescue Errno::ENOENT
    false # somebody else was faster
  end

  def each_job
    Dir.children(File.join(@root, 'new')).sort.each do |name|
      next unless claim(name)

      path = File.join(@root, 'cur', name)
      yield File.read(path)
      File.rename(path, File.join(@root, 'done', name))
    end
  end
end

sum = 0
jobs = 0
Queue.new('q').each_job do |text|
  jobs += 1
  sum += text[/\d+/].to_i
end
puts "#{jobs} jobs, sum #{sum}, #{Dir.children('q/done').size} done"
