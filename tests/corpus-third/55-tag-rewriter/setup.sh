mkdir music; head -c 90000 /dev/zero | tr '\0' 'm' > music/song.ogg
