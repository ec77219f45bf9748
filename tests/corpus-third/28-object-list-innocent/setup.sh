mkdir src build
for i in 1 2 3 4 5 6 7 8; do echo "int f$i(void);" > src/f$i.h; echo "old" > build/f$i.names; done
echo old > build/all.h; echo old > build/config.mk
