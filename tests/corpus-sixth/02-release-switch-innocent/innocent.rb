#!/usr/bin/env ruby
# Switches a site through its releases, one after the other, until one fails the check.

RELEASES = 'releases'
LINK = 'current'

def switch_to(release)
  File.symlink(File.join(RELEASES, release), "#{LINK}.next")
  File.rename("#{LINK}.next", LINK)
end

def live?(release_dir)
  # another deployer may have switched in the meantime: ask the name itself
  now = File.stat(LINK)
  want = release_dir.stat
  now.ino == want.ino && now.dev == want.dev
end

ReleaseDir = Struct.new(:name, :handle) do
  def stat
    # by the open directory, so that a renamed release is still the same one
    @stat ||= handle.stat
  end
end

good = []
failed = []
(1..40).each do |n|
  name = "r#{n}"
  File.open(File.join(RELEASES, name)) do |handle|
    dir = ReleaseDir.new(name, handle)
    switch_to(name)
    live?(dir) ? good << name : failed << name
  end
end

puts "#{good.size} switches, #{failed.size} failed"
puts "live: #{File.readlink(LINK)}"
puts File.read(File.join(LINK, 'VERSION'))
