"""Takes the offers of the stamp exchange; a swap once answered must last."""
import os

FOLDER = 'swaps'


def keep(directory, ident, gives, takes):
    final = f'{ident}.swap'
    draft = f'.{ident}.draft'
    fd = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644, dir_fd=directory)
    try:
        os.write(fd, f'gives {gives}\ntakes {takes}\n'.encode())
        os.fsync(fd)
    finally:
        os.close(fd)
    os.rename(draft, final, src_dir_fd=directory, dst_dir_fd=directory)
    os.fsync(directory)


def main():
    given = {}
    directory = os.open(FOLDER, os.O_RDONLY | os.O_DIRECTORY)
    partner = os.open('partner.out', os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    count = 0
    with open('offers.txt') as offers:
        for line in offers:
            ident, gives, takes = line.split()
            keep(directory, ident, gives, takes)
            os.write(partner, f'{ident} agreed\n'.encode())
            given[gives] = given.get(gives, 0) + 1
            count += 1
    os.close(partner)
    os.close(directory)
    most = max(sorted(given), key=given.get)
    print(f'{count} swaps agreed, most given {most} ({given[most]})')


main()
