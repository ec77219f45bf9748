i=0; while [ $i -lt 80 ]; do echo "$((200 + i)) desk$i"; i=$((i+1)); done > plan.txt
echo '{}' > plan.cache; touch -d '2025-12-01 08:00' plan.cache
