"""Draws the preview of the orrery: one picture for each planet and a page."""
import csv
import math
import os

TARGET = "preview"
DAYS = 48


def load(path):
    with open(path, newline="") as src:
        return [(name, int(radius), int(year)) for name, radius, year in csv.reader(src)]


def positions(radius, year):
    """Places on the circle, one for each twentieth of an earth year."""
    for step in range(DAYS):
        angle = 2 * math.pi * step * 50 / year
        yield radius * math.cos(angle), radius * math.sin(angle)


def picture(radius, year):
    reach = radius + 10
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-reach} {-reach} {2 * reach} {2 * reach}">']
    parts.append(f'<circle r="{radius}" fill="none" stroke="grey"/>')
    for x, y in positions(radius, year):
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2"/>')
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


def write(name, text):
    with open(os.path.join(TARGET, name), "w") as out:
        out.write(text)
    return len(text)


def main():
    planets = load("elements.csv")
    size = 0
    links = []
    for name, radius, year in planets:
        size += write(name + ".svg", picture(radius, year))
        links.append(f'<li><img src="{name}.svg" alt="{name}"> {year / 1000:.2f} years</li>')
    page = "<html><body><ul>\n" + "\n".join(links) + "\n</ul></body></html>\n"
    size += write("index.html", page)
    print(f"{len(planets)} planets drawn, {size} characters")
    slowest = max(planets, key=lambda planet: planet[2])
    print(f"slowest: {slowest[0]} with {slowest[2] / 1000:.2f} years")


main()
