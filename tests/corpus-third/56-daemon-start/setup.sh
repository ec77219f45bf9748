printf 'echo "started with $(ls /proc/self/fd | wc -l) descriptors" > daemon.log\n' > daemon.sh
