#!/bin/bash
# Takes the first name; what follows is for the next reader, so that the position has to be right.
{
    read -r first
    read -r second
    read -r third
} < names
echo "$first $second $third"
