"""Lets helpers read the notes of the scullery from descriptors that it opens for them."""
import os
import sys


def helper(fd, out):
    """Starts tr with the note as its standard input, from the inherited number."""
    command = f"exec /usr/bin/tr a-z A-Z <&{fd}"
    actions = [(os.POSIX_SPAWN_DUP2, out, 1)]
    return os.posix_spawn("/bin/sh", ["sh", "-c", command], os.environ, file_actions=actions)


def shout(path):
    note = os.open(path, os.O_RDONLY)
    reading, writing = os.pipe()
    try:
        os.set_inheritable(note, True)
        pid = helper(note, writing)
    finally:
        os.close(note)
        os.close(writing)
    parts = []
    while chunk := os.read(reading, 4096):
        parts.append(chunk)
    os.close(reading)
    _, status = os.waitpid(pid, 0)
    if status:
        raise OSError(f"helper for {path} ended with {status}")
    return b"".join(parts).decode()


def main():
    plates = 0
    heard = []
    for number in range(1, 21):
        text = shout(f"sinks/s{number}.txt")
        heard.append(text)
        words = text.split()
        plates += int(words[words.index("PLATES") + 1])
    with open("orders.txt", "w") as out:
        out.write("".join(heard))
    print(len(heard), "orders,", plates, "plates")
    return 0


if __name__ == "__main__":
    sys.exit(main())
