"""Collects the pledge slips that people drop into the open box."""
import os
import stat

BOX = 'pledges'
LIMIT = 200


def amount(text):
    return int(text.rsplit(':', 1)[1])


def take(path):
    """The text of a slip, or None if it is not an honest slip."""
    st = os.lstat(path)
    if not stat.S_ISREG(st.st_mode) or st.st_size > LIMIT:
        return None
    with open(path, 'rb', buffering=0) as f:
        return f.read(LIMIT).decode()


def main():
    total = count = refused = 0
    biggest = 0
    for number in range(1, 32):
        text = take(os.path.join(BOX, f'slip{number}'))
        if text is None:
            refused += 1
            continue
        value = amount(text)
        total += value
        count += 1
        biggest = max(biggest, value)
    with open('collected.txt', 'w') as out:
        out.write(f'{count} {total}\n')
    print(f'{count} pledges, {total} in all, biggest {biggest}, refused {refused}')


main()
