#!/bin/sh
set -e
echo first > app.log
