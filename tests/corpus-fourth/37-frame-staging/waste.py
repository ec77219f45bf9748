"""Hands the frames of a night's rendering to the encoder, which reads them from memory."""
import os
import shutil
import tempfile

stage = tempfile.mkdtemp(prefix="encode-", dir="/dev/shm")
try:
    for name in sorted(os.listdir("frames")):
        shutil.move(os.path.join("frames", name), os.path.join(stage, name))
    with os.scandir(stage) as staged:
        sizes = [e.stat().st_size for e in staged]
    print(len(sizes), "frames,", sum(sizes), "bytes staged,", len(os.listdir("frames")), "left")
finally:
    shutil.rmtree(stage)
