printf 'libc\nstack\nheap\nvdso\n' > regions.txt
