ln -s /dev/full state
