#!/bin/sh
# Points networks at another gateway in the table that is loaded when the machine starts.
reroute() {
    net=$1 gateway=$2
    table=$(sed "s|^$net via .*|$net via $gateway|" routes.conf)
    printf '%s\n' "$table" > routes.conf.new
    sync routes.conf.new && mv routes.conf.new routes.conf && sync .
}

reroute 10.3.0.0/16 192.168.0.9
reroute 10.7.0.0/16 192.168.0.9
reroute 10.8.0.0/16 192.168.0.8
reroute 10.21.0.0/16 192.168.0.8
reroute 10.30.0.0/16 192.168.0.9
grep -c 'via 192.168.0.9$' routes.conf
tail -n 1 routes.conf
