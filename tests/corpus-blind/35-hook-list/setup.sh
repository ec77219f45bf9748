#!/bin/sh
set -e
i=0; while [ $i -lt 20 ]; do echo "user$i:pw$((i*91))"; i=$((i+1)); done > passwords.txt
i=0; while [ $i -lt 50 ]; do echo "login user$((i%20))"; i=$((i+1)); done > logins.txt
