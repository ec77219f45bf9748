for i in $(seq 1 80); do printf 'From u%s Mon\nSubject: s%s\n\nbody of %s\nline two\n\n' $i $i $i; done > all.mbox
