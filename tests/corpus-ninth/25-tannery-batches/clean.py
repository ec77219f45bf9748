"""Plans which batches come out of the pits, from the foreman's notes."""
import os

DIRECTORY = "batches"


def read_note(path):
    fd = os.open(path, os.O_RDONLY)
    try:
        size = os.fstat(fd).st_size
        data = os.read(fd, size)
    finally:
        os.close(fd)
    return dict(line.split(" ", 1) for line in data.decode().splitlines())


def plan(notes):
    """Batches by day of coming out, smaller vats first."""
    due = {}
    for name, note in notes.items():
        day = int(note["days"])
        due.setdefault(day, []).append((int(note["vat"]), name, int(note["hides"])))
    for batch in due.values():
        batch.sort()
    return due


def main():
    names = [f"b{i}.txt" for i in range(1, 41)]
    notes = {name[:-4]: read_note(os.path.join(DIRECTORY, name)) for name in names}
    due = plan(notes)
    with open("plan.txt", "w") as out:
        for day in sorted(due):
            out.write(f"day {day}\n")
            for vat, name, hides in due[day]:
                out.write(f"  vat {vat}: {name:4s} {hides} hides\n")
    hides = sum(int(note["hides"]) for note in notes.values())
    print(f"{len(notes)} batches, {hides} hides")
    print(f"first out on day {min(due)}: {len(due[min(due)])} batches")


main()
