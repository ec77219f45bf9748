mkdir sounds
for i in $(seq 1 70); do head -c $((i * 50)) /dev/zero | tr '\0' 's' > sounds/fx_$i.wav; done
rm sounds/fx_12.wav; echo OggS > sounds/fx_12.ogg
rm sounds/fx_40.wav; echo fLaC > sounds/fx_40.flac
