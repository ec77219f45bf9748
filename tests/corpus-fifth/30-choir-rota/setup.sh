for n in Ada Bert Cora Dirk Elsa Finn Gisa Hugo Ines Jost Kaja Lars; do echo $n; done > singers.txt
mkdir -p board
ln -sf /dev/full board/usb-stick.txt
