#!/bin/sh
set -e
mkdir -p theme/base
for n in header footer menu page list form; do printf '{"name": "%s", "width": %d}\n' $n ${#n} > theme/base/$n.json; done
