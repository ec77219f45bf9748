rm -rf tariffs; mkdir tariffs
for m in water gas steam light coal; do
  { echo "\"\"\"Tariff for $m.\"\"\""; echo "BASE = ${#m}"; 
    i=0; while [ $i -lt 20 ]; do echo "def step_$i(n): return n * $i + BASE"; i=$((i+1)); done
    echo "def price(n): return step_${#m}(n) + step_3(n)"; } > tariffs/$m.py
done
echo "from . import water, gas, steam, light, coal" > tariffs/__init__.py
/root/.pyenv/versions/3.11.7/bin/python3 -m compileall -q tariffs
touch -d '2024-03-01 12:00:00' tariffs/*.py
i=0; while [ $i -lt 8 ]; do i=$((i+1)); echo "house$i $(echo water gas steam light coal | cut -d' ' -f$((i % 5 + 1))) $((i * 7))"; done > meters.txt
