awk 'BEGIN { for (i = 0; i < 600; i++) printf "star%04d %08.4f %+08.4f %+06.3f %+06.3f\n", i, (i * 0.613) % 360, (i * 0.37) % 90, (i % 7) / 10 - 0.3, (i % 5) / 10 - 0.2 }' > ephemeris.tab
