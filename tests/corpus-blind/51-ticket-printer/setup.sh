#!/bin/sh
set -e
mkdir -p tickets
