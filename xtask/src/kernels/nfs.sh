# A directory over NFS 4.2 from this kernel to itself, sourced by init. No program of nfs-utils: what
# exportfs and mountd would answer is written into the kernel's caches, and its parser takes the mount.
for pass in 1 2 3 4 5; do
	for module in /modules/*.ko; do insmod $module 2>/dev/null; done
done
options=vers=4.2,proto=tcp,addr=127.0.0.1,clientaddr=127.0.0.1,rsize=1048576,wsize=1048576

nfs_mount() {
	timeout 120 mount -t nfs4 -o $options 127.0.0.1:/ /mnt
}

nfs_start() {
	ip link set lo up
	ip addr add 127.0.0.1/8 dev lo 2>/dev/null
	hostname guest
	mkdir -p /export /here /mnt /var/lib/nfs/v4recovery
	# The memory of init itself cannot be exported.
	mount -t tmpfs none /export && mount -t tmpfs none /here
	mount -t nfsd nfsd /proc/fs/nfsd || return 1
	# Nobody has a state to reclaim.
	echo 10 >/proc/fs/nfsd/nfsv4leasetime
	echo 10 >/proc/fs/nfsd/nfsv4gracetime
	echo "-3 +4.2" >/proc/fs/nfsd/versions
	echo "tcp 2049" >/proc/fs/nfsd/portlist || return 1
	# Each line: the client's domain; the export with flags (insecure port, no root squashing, fsid=) and
	# users of nobody; the export of that fsid. All of them until 2038.
	echo "nfsd 127.0.0.1 2147483647 *" >/proc/net/rpc/auth.unix.ip/channel
	echo "* /export 2147483647 8194 65534 65534 0" >/proc/net/rpc/nfsd.export/channel
	echo '* 1 \x00000000 2147483647 /export' >/proc/net/rpc/nfsd.fh/channel
	echo 4 >/proc/fs/nfsd/threads || return 1
	echo Y >/proc/fs/nfsd/v4_end_grace 2>/dev/null
	# Without delegations each open and close is a request, as the model has it.
	echo 0 >/proc/sys/fs/leases-enable
	fill /export
	# A mount whose files are all stale is none to compare on.
	nfs_mount && cat /mnt/data/0
}

# The same files in both directories.
fill() {
	rm -rf $1/*
	mkdir -p $1/data $1/deep/a/b/c
	for number in 0 1 2 3 4 5 6 7 8 9; do echo "some text $number" >$1/data/$number; done
	echo text >$1/deep/a/b/c/file
	dd if=/dev/urandom of=$1/big bs=1M count=4 2>/dev/null
}

# How many requests of each kind the client sent for this mount.
requests() {
	sed -n '/ mounted on \/mnt /,$p' /proc/self/mountstats |
		sed -n 's/^[ 	]*\([A-Z][A-Z_]*\): \([0-9][0-9]*\) [0-9].*/\1 \2/p'
}

# Compares what a client that knows nothing asks its server for with what the model says of a run elsewhere.
ask() {
	name=$1
	cd /
	umount /mnt
	fill /export
	fill /here
	nfs_mount
	cd /mnt
	requests >/tmp/before
	busybox sh -c "$2" >/dev/null 2>&1
	requests >/tmp/after
	echo "@@begin asked-$name"
	while read kind after; do
		before=$(sed -n "s/^$kind //p" /tmp/before)
		[ $((after - before)) = 0 ] || echo $kind $((after - before))
	done </tmp/after
	echo "@@end asked-$name 0"
	cd /here
	fathom what-if --as nfs:1ms --over /here --format json -o /tmp/said-$name -- busybox sh -c "$2" >/tmp/said 2>&1
	part said-$name sh -c "cat /tmp/said-$name || cat /tmp/said"
	cd /
}

part nfs nfs_start
if [ $code = 0 ]; then
	counts nfs- /mnt/data /mnt
	timeout 300 fathom bench open-close --methods native:open,native:openat --time 1 --dir /mnt -o /tmp/nfs.json >/tmp/said 2>&1
	# An NFS client leaves files that are removed while they are open under other names.
	part nfs-bench sh -c 'ls -A /mnt | grep fathom && exit 9; [ -s /tmp/nfs.json ] || { cat /tmp/said; exit 1; }'
	ask cat 'for name in 0 1 2 3 4 5 6 7 8 9 missing; do cat data/$name; done'
	ask cat-again 'for name in 0 1 2 3 4 0 1 2 3 4; do cat data/$name; done'
	ask stat 'for name in 0 1 2 3 4 5 6 7 8 9 missing missing 0; do stat data/$name; done'
	ask list 'ls -l data'
	ask find 'find . -type f'
	ask deep 'cat deep/a/b/c/file; cat deep/a/b/c/file'
	ask change 'cp data/1 copy; mv copy moved; rm moved; mkdir new; rmdir new'
	ask read 'dd if=big of=/dev/null bs=64k'
	ask write 'dd if=/dev/zero of=written bs=64k count=48'
fi
