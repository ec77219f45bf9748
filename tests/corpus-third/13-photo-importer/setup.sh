mkdir -p card/DCIM
for i in $(seq 1000 1099); do echo "EXIF$i" > card/DCIM/IMG_$i.JPG; done
echo x > card/DCIM/MISC.TXT
