for d in usr/lib/app usr/share/doc/app etc/app/conf.d; do mkdir -p rootfs/$d; for i in $(seq 1 30); do echo "$d $i" > rootfs/$d/f$i; done; done
