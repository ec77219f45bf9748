awk 'BEGIN{for(i=0;i<900;i++)printf "%c%c",1+(i*3)%60,33+(i*17)%90}' > pulses.bin
