mkdir ckpt; echo 'lsn 0' > ckpt/current
