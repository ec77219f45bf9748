echo 'limits status mounts maps environ cmdline stat io cgroup' > wanted
