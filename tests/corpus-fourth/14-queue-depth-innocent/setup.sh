echo 0 > queue.depth
