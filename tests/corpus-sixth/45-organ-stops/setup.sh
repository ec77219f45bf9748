mkdir -p organs
for o in chapel cathedral village concert; do echo "old registration" > organs/$o.reg; done
