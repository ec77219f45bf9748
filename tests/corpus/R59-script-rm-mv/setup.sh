for name in one two three; do echo old > $name; done
