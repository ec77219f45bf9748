ln -s /dev/full spare.img
