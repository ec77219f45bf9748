for number in $(seq 50); do printf '%01000d' $number; done > archive
