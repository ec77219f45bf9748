#!/bin/sh
set -e
mkdir -p private
printf 'alice s3cret\nbob hunter2\n' > private/keys.db
