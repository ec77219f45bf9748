printf 'primary=events.log\nmirror=/dev/full\n' > mirror.conf
