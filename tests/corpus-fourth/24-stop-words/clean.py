"""Which words are stop words in more than one language?"""
import glob
from collections import Counter

languages = Counter()
for path in sorted(glob.glob("stop/*.txt")):
    with open(path, "rb") as f:
        words = f.read().split()
    languages.update(set(words))
common = [w for w, n in languages.items() if n > 30]
print(len(languages), "words,", len(common), "in more than thirty languages")
