#!/usr/bin/env python3
"""Ships the events of a simulated factory to a file."""
import json
import os

LOG = "events.log"


def machine_events(count):
    for number in range(count):
        yield {"machine": number % 12, "number": number, "value": number * 31 % 1000}


def ship(event):
    with open(LOG, "a") as f:
        f.write(json.dumps(event) + "\n")


def main():
    alarms = 0
    for event in machine_events(250):
        ship(event)
        alarms += event["value"] > 900
    print("alarms %d, log %d bytes" % (alarms, os.path.getsize(LOG)))


main()
