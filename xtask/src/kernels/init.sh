#!/bin/busybox sh
# The first process of a guest: everything that is tried there, part by part. What each part prints
# stands between two lines that name it; the host judges.
/bin/busybox mkdir -p /proc /sys /dev /tmp /root
/bin/busybox --install -s /bin
export PATH=/bin:/usr/bin HOME=/root
mount -t proc none /proc
mount -t sysfs none /sys
mount -t devtmpfs none /dev
mount -t tmpfs none /tmp
mount -t tracefs none /sys/kernel/tracing 2>/dev/null
# Nothing of the kernel's own among what is printed.
dmesg -n 1
stty -onlcr 2>/dev/null
mkdir /data
for number in 0 1 2 3 4 5 6 7 8 9; do echo "some text $number" >/data/$number; done

# A command or a function. What runs under a limit of its own says so by its exit code 143.
part() {
	name=$1
	shift
	echo "@@begin $name"
	"$@" 2>&1
	code=$?
	echo
	echo "@@end $name $code"
}

end() {
	echo "@@end all 0"
	poweroff -f
}

# Counts and audits of the work against strace: the names of the parts begin with the first word, the
# work reads below the second and writes below the third.
counts() {
	work="busybox sh /work.sh $2 $3"
	timeout 300 strace -f -o /tmp/calls $work >/dev/null 2>&1
	part $1strace cat /tmp/calls
	rm -f /tmp/count /tmp/audit-*
	part $1count timeout 300 fathom count --format json --no-prices -o /tmp/count $work
	part $1counted cat /tmp/count
	for capture in ptrace ring; do
		timeout 300 fathom audit --capture $capture --no-config --format json -o /tmp/audit-$capture $work >/tmp/said 2>&1
		part $1audit-$capture sh -c "cat /tmp/audit-$capture || cat /tmp/said"
	done
}

part kernel sh -c 'uname -rm; grep -m1 KernelPageSize /proc/self/smaps'
quick=$(grep -c fathom.quick /proc/cmdline)
[ $quick = 1 ] || part doctor timeout 300 fathom doctor --dir /tmp
counts "" /data /tmp
[ $quick = 0 ] || end
(while :; do cat /data/1; done) >/dev/null &
loop=$!
part trace-pid timeout 300 fathom trace --pid $loop --seconds 2 -o /tmp/trace
kill $loop
fathom audit --from /tmp/trace --no-config --format json -o /tmp/audit-pid >/tmp/said 2>&1
part audit-pid sh -c "cat /tmp/audit-pid || cat /tmp/said"
part bench timeout 300 fathom bench open-close --methods native:open,native:openat --time 2 --dir /tmp -o /tmp/record.json
# The longest last: a guest's limit ends it.
. /nfs.sh
part prices timeout 1200 fathom prices --seconds 4 --dir /tmp
end
