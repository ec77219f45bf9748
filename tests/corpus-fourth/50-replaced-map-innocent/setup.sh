echo 'size 10' > world.map
