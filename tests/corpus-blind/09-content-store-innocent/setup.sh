#!/bin/sh
set -e
mkdir -p objects
