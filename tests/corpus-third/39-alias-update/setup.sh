mkdir etc
printf 'root: admin\npostmaster: root\nabuse: postmaster\n' > etc/aliases
