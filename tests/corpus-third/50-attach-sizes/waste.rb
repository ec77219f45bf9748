# Mail statistics: subject, size, age.
class Message
  attr_reader :subject, :size, :time

  def initialize(path)
    File.open(path) do |f|
      @subject = f.gets[/\ASubject: (.*)/, 1]
      @size = File.size(path)
      @time = File.mtime(path)
    end
  end

  def old?(limit)
    time < limit
  end
end

mails = (1..40).map { |i| Message.new("mail/#{i}.eml") }
limit = Time.utc(2024, 6, 1)
largest = mails.max_by(&:size)
puts "#{mails.size} mails, #{mails.count { |m| m.old?(limit) }} old, largest #{largest.subject} (#{largest.size})"
