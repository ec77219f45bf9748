#!/bin/sh
set -e
mkdir -p shared
chmod 1777 shared
for u in ann bob eve; do echo "notes of $u" > shared/$u.note; chmod 666 shared/$u.note; done
