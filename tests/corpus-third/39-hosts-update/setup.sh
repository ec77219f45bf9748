printf '192.0.2.1 web\n192.0.2.2 mail\n192.0.2.9 old\n' > hosts.allow
