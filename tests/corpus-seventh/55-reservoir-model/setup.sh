head -c 12288 /dev/zero | tr '\000' '\001' > state.bin
