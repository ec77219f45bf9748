#!/bin/sh
set -e
mkdir -p spool
chmod 1777 spool
echo old > spool/job-2.txt
