"""Snapshot a data directory."""
import os
import shutil


def copy(src, dst):
    shutil.copyfile(src, dst)


def snapshot(src, dst):
    os.mkdir(dst)
    done = []
    with os.scandir(src) as it:
        for e in sorted(it, key=lambda e: e.name):
            if e.is_file(follow_symlinks=False):
                copy(e.path, os.path.join(dst, e.name))
                done.append(e.name)
    return done


names = snapshot("live", "snap-1")
print(len(names), sum(os.path.getsize("snap-1/" + n) for n in names))
