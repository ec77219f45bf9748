"""A game server that takes up a new map between two turns when an editor has replaced the file."""
import os

f = open("world.map")
seen = os.fstat(f.fileno())
sizes = [f.read().split()[1]]
for turn in range(8):
    if turn == 4:
        with open("world.new", "w") as editor:
            editor.write("size 12\n")
        os.rename("world.new", "world.map")
    now = os.stat("world.map")
    if not os.path.samestat(seen, now):
        f.close()
        f = open("world.map")
        seen = os.fstat(f.fileno())
        sizes.append(f.read().split()[1])
f.close()
print("maps of size", sizes)
