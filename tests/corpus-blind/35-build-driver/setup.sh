#!/bin/sh
set -e
echo 'token abc' > credentials.txt
