for number in $(seq 16384); do echo 'some words, sixty-four bytes of them with the line feed, in all'; done > data
