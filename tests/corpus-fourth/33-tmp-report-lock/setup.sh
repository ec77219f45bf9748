mkdir shared; chmod 1777 shared
seq 1 200 > shared/figures
echo other > shared/report2.lock
