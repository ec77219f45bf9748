"""Loads the light cues of an act, each once even if it is reached by two names."""
import os

FOLDER = "show/act2/cues"


def load_cue(path):
    with open(path) as cue:
        second, level, lamp = map(int, cue.read().split())
    return {"second": second, "level": level, "lamp": lamp}


def load_all(folder):
    cues = {}
    for name in sorted(os.listdir(folder)):
        real = os.path.realpath(os.path.join(folder, name))
        if real not in cues:
            cues[real] = load_cue(real)
    return cues


def main():
    cues = load_all(FOLDER)
    lamps = {}
    for cue in cues.values():
        lamps.setdefault(cue["lamp"], []).append(cue)
    for lamp in sorted(lamps):
        brightest = max(lamps[lamp], key=lambda cue: (cue["level"], cue["second"]))
        print(f"lamp {lamp}: {len(lamps[lamp])} cues, {brightest['level']}% at {brightest['second']} s")
    roots = {os.path.basename(os.path.dirname(real)) for real in cues}
    print(f"{len(cues)} cues in {' '.join(sorted(roots))}")


main()
