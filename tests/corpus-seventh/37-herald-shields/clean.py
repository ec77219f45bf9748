"""Draws the shields of the houses and hangs them in the gallery."""
import os
import shutil
import tempfile

COLOURS = {'or': '#fc0', 'argent': '#eee', 'gules': '#c00', 'azure': '#03c', 'vert': '#080'}


def draw(house, tincture, charges):
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="100" height="120"><title>{house}</title>']
    parts.append(f'<path d="M5 5h90v60q0 40-45 50q-45-10-45-50z" fill="{COLOURS[tincture]}"/>')
    for n in range(charges):
        x = 100 * (n + 1) // (charges + 1)
        parts.append(f'<circle cx="{x}" cy="50" r="8" fill="#222"/>')
    parts.append('</svg>')
    return '\n'.join(parts) + '\n'


def main():
    hung = []
    with tempfile.TemporaryDirectory(dir='.') as scratch:
        for line in open('blazons.txt'):
            house, tincture, charges = line.split()
            draft = os.path.join(scratch, house + '.svg')
            with open(draft, 'w') as out:
                out.write(draw(house, tincture, int(charges)))
            target = os.path.join('gallery', house + '.svg')
            shutil.move(draft, target)
            hung.append((tincture, house))
    count = {}
    for tincture, _ in hung:
        count[tincture] = count.get(tincture, 0) + 1
    print(f'{len(hung)} shields hung')
    print(', '.join(f'{t}: {n}' for t, n in sorted(count.items())))


main()
