require 'json'

# Changes key bindings in the profile of a user.
class Keymap
  PATH = 'profile/keymap.json'

  def initialize
    @keys = JSON.parse(File.read(PATH))
  end

  def bind(action, key)
    @keys.delete_if { |_, k| k == key }
    @keys[action] = key
    save
  end

  def to_s
    @keys.sort.map { |a, k| "#{a}=#{k}" }.join(' ')
  end

  private

  def save
    File.open("#{PATH}.new", 'w') do |f|
      f.write(JSON.pretty_generate(@keys))
      f.fsync
    end
    File.rename("#{PATH}.new", PATH)
    File.open(File.dirname(PATH), &:fsync)
  end
end

map = Keymap.new
map.bind('find', 'Ctrl+F')
map.bind('quit', 'Alt+F4')
map.bind('close', 'Ctrl+Q')
puts map, JSON.parse(File.read(Keymap::PATH)).size
