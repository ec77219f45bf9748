echo 'batch = 10' > worker.conf
