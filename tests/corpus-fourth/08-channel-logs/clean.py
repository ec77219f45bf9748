"""Chat server: one log for each channel, kept open, written to by every worker."""
import os


def open_log(channel):
    return os.open(f"logs/channel{channel}.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o640)


logs = {c: open_log(c) for c in range(1, 31)}
said = [(n * 7 % 30 + 1, f"user{n % 11}: message {n}") for n in range(240)]
for channel in logs:
    text = "".join(line + "\n" for c, line in said if c == channel)
    os.write(logs[channel], text.encode())
for fd in logs.values():
    os.close(fd)
print(sum(os.path.getsize(f"logs/channel{c}.log") for c in logs), "bytes in", len(logs), "logs")
