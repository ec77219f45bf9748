for name in cpu cpuacct cpuset memory pids devices freezer blkio net_cls net_prio perf_event hugetlb; do
    echo "cgroup /sys/fs/cgroup/$name $name" >> mounts
done
