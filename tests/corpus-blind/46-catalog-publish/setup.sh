#!/bin/sh
set -e
echo '<catalog/>' > catalog.xml
