mkdir -p logs
echo "old generation" > logs/lock-keeper.log.1
