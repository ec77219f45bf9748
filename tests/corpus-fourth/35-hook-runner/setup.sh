echo 'k-77af-0012' > secret.key
mkdir hooks
for h in lint test sign tag push mail; do printf 'exit 0\n' > hooks/$h; done
