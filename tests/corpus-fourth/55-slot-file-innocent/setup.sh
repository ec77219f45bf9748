head -c 16384 /dev/zero > settings.slots
