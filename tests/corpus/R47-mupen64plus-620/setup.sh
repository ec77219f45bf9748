printf 'Volume = 80\n' > mupen64plus.cfg
printf '4321\n' > emulator.pid
