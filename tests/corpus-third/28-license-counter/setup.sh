printf 'cad 3\nerp 10\nide 1\n' > seats.txt
