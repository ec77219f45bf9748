#!/bin/sh
# Deploys version 2 of three configuration files.
for n in 1 2 3; do
    sed 's/version=1/version=2/' live/app-$n.conf > live/.app-$n.new
    sync live/.app-$n.new
    mv live/.app-$n.new live/app-$n.conf
done
sync live
cat live/app-*.conf
