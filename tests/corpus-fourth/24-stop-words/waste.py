"""Which words are stop words in more than one language?"""
import glob
import mmap
from collections import Counter

languages = Counter()
for path in sorted(glob.glob("stop/*.txt")):
    with open(path, "rb") as f:
        with mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ) as m:
            words = bytes(m).split()
    languages.update(set(words))
common = [w for w, n in languages.items() if n > 30]
print(len(languages), "words,", len(common), "in more than thirty languages")
