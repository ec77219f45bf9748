for i in $(seq 1 60); do printf 'msgid "text %s"\nmsgstr "Satz %s"\n\n' $i $i; done > de.po
