printf 'latitude 51.48\nradius 180\nmotto horas non numero nisi serenas\n' > dial.conf
