#!/bin/sh
set -e
{ printf '{"balance":1000,"entries":['; i=0; while [ $i -lt 40 ]; do printf '{"id":%d,"cents":%d},' $i $((i*10)); i=$((i+1)); done; printf '{"id":40,"cents":1}]}'; } > ledger.json
