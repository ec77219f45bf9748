mkdir -p data
awk 'BEGIN{split("car boot lift flat biscuit crisps lorry queue",w," ");for(i=0;i<110;i++)print "The " w[1+i%8] " by the " w[1+(i*5)%8] " is number " i > "data/captions.txt"}'
echo '{"boot":"trunk","lift":"elevator","flat":"apartment","biscuit":"cookie","crisps":"chips","lorry":"truck","queue":"line"}' > data/glossary.json
