# A device that is full.
ln -s /dev/full table
