#!/bin/sh
set -e
: > wal.log
