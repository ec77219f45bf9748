"""Publishes the timetables of three ferries; a table must never be half there, even after a power cut."""
import os

ROUTES = ("north", "south", "island")


def compile_table(route):
    lines = [f"Timetable {route}"]
    with open(f"{route}.src") as src:
        for line in src:
            hour, minute, pier = line.split()
            lines.append(f"{int(hour):02d}:{int(minute):02d}  {pier}")
    return "\n".join(lines) + "\n"


def publish(directory, route, text, journal):
    final = os.path.join(directory, f"{route}.txt")
    tmp = final + ".tmp"
    out = open(tmp, "w")
    journal.write(f"publish {route}: {len(text)} bytes\n")
    out.write(text)
    out.flush()
    os.fsync(out.fileno())
    out.close()
    os.rename(tmp, final)


def main():
    departures = 0
    dirfd = os.open("public", os.O_RDONLY | os.O_DIRECTORY)
    with open("journal.txt", "w") as journal:
        for route in ROUTES:
            text = compile_table(route)
            publish("public", route, text, journal)
            departures += text.count("\n") - 1
        os.fsync(dirfd)
    os.close(dirfd)
    print("routes:", len(ROUTES), "departures:", departures)
    for route in ROUTES:
        with open(f"public/{route}.txt") as f:
            print(f.readline().strip(), "from", f.readline().strip())


if __name__ == "__main__":
    main()
