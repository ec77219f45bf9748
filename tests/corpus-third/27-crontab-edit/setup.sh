mkdir spool; printf '0 3 * * * backup\n15 4 * * 1 report\n' > spool/anna
