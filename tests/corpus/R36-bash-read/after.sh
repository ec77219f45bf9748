#!/bin/bash
# Counts names that were read at once.
mapfile -t names < names
echo "${#names[@]} names"
