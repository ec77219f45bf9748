seq 30 > hosts.conf
echo half > hosts.part
