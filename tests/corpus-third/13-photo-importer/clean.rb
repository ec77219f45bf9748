# Plans an import from a camera card: target name for each picture.
class Importer
  Job = Struct.new(:source, :target)

  def initialize(card)
    @card = card
    @jobs = []
  end

  attr_reader :jobs

  def scan
    Dir.children(@card).sort.each do |name|
      path = File.join(@card, name)
      next unless name =~ /\AIMG_(\d+)\.JPG\z/
      number = Regexp.last_match(1).to_i
      @jobs << Job.new(path, format('2024/%02d/%04d.jpg', number % 12 + 1, number))
    end
    self
  end
end

jobs = Importer.new('card/DCIM').scan.jobs
months = jobs.group_by { |j| j.target[5, 2] }
puts "#{jobs.size} pictures in #{months.size} months, first #{jobs.first.target}"
