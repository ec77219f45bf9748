#!/usr/bin/env python3
"""Makes inbox.mbox with 350 messages."""
with open("inbox.mbox", "w") as f:
    for i in range(350):
        who = ("anna", "boris", "carla", "dmitri")[i % 4]
        f.write(f"From {who}@example.org Mon Jan  1 00:{i % 60:02d}:00 2024\n")
        f.write(f"From: {who}@example.org\nMessage-ID: <{i}.{i * 7919 % 10007}@example.org>\n")
        f.write(f"Subject: {'Re: ' if i % 3 else ''}meeting number {i // 3}\n\n")
        f.write("Hello,\nsee you there.\n" * (1 + i % 5) + "\n")
