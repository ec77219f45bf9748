mkdir -p jobs
i=1; while [ $i -le 12 ]; do printf 'RATE = %s\n\n\ndef run(x):\n    return x * RATE\n' $i > jobs/step$i.py; i=$((i+1)); done
: > jobs/__init__.py
python3 -m compileall -q jobs
for f in jobs/*.py; do echo "# touched by deploy" >> $f; done
