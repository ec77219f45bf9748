#!/bin/sh
set -e
printf 'EUR=100\nUSD=92\nGBP=117\nCHF=104\n' > rates.properties
