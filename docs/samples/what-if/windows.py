"""Windows against whole runs and the true gain: programs of tests/what-if made longer. CSV on stdout.
The current directory holds `app.conf` with one line, as `xtask what-if-pairs` has it.
Words: folder of programs, fathom, seconds for each way, pairs of the truth, names."""
import json, os, random, re, resource, statistics, subprocess, sys, time
programs, fathom, seconds, pairs = sys.argv[1], os.path.abspath(sys.argv[2]), sys.argv[3], int(sys.argv[4])
factor = {'position-asked.c': 6, 'stat-call-alone.go': 5, 'access-before-open.c': 5, 'search-path.c': 5, 'isatty-at-open.py': 8, 'lseek-at-open.py': 8, 'fstat-at-read.js': 4, 'FstatAtOpen.java': 5}
def cpu(): r = resource.getrusage(resource.RUSAGE_CHILDREN); return r.ru_utime + r.ru_stime
def run(words):
    c, t = cpu(), time.monotonic(); subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL); return cpu() - c, time.monotonic() - t
def interval(values):
    v, n = sorted(values), len(values)
    from math import comb
    k = 0
    while 2 * sum(comb(n, i) for i in range(k + 1)) / 2 ** n <= 0.05: k += 1
    return (statistics.median(v), v[k - 1], v[n - k]) if k else (statistics.median(v), float('nan'), float('nan'))
print('program,load,pairs,true_cpu_ms,true_cpu_low,true_cpu_high,true_wall_ms,true_wall_low,true_wall_high,way,method,runs,window_calls,window_pairs,alone_ms,cpu_ms,cpu_low,cpu_high,wall_ms,wall_low,wall_high,refused', flush=True)
for name in sys.argv[5:]:
    source = open(f'{programs}/{name}').read()
    loops = re.search(r'turn < (\d+)|range\((\d+)\)', source); count = loops.group(1) or loops.group(2)
    source = source.replace(loops.group(0), loops.group(0).replace(count, str(int(count) * factor[name])), 1)
    os.makedirs('p', exist_ok=True); path = f'p/{name}'; open(path, 'w').write(source)
    calls = re.search('calls: (.*)', source).group(1); patch = re.search('patch: (.*)', source)
    if name.endswith('.c'): subprocess.run(['gcc', '-O1', '-w', '-o', 'p/app', path], check=True); words = ['p/app']
    elif name.endswith('.go'): subprocess.run(['go', 'build', '-o', 'p/app', path], check=True); words = ['p/app']
    elif name.endswith('.py'): words = ['/usr/bin/python3', '-I', path]
    elif name.endswith('.js'): words = ['node', path]
    else: subprocess.run(['javac', '-d', 'p', path], check=True); words = ['java', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-cp', 'p', name[:-5]]
    if patch:
        subprocess.run(['gcc', '-O1', '-shared', '-fPIC', '-w', '-o', 'p/without.so', f'{programs}/patch/without.c', '-ldl'], check=True)
        load = 'LD_PRELOAD=' + os.path.abspath('p/without.so')
        old, new = ['env', load] + words + ['old'], ['env', load, 'WITHOUT=' + patch.group(1)] + words + ['old']
    else: old, new = words + ['old'], words + ['new']
    gains = []
    for _ in range(pairs):
        sides = [0, 1]; random.shuffle(sides); times = [None, None]
        for side in sides: times[side] = run([old, new][side])
        gains.append([a - b for a, b in zip(*times)])
    truth = [x * 1000 for which in (0, 1) for x in interval([g[which] for g in gains])]
    for method in (['--elide'], []):
        for way in ('windows', 'runs'):
            out = f'p/{name}.{way}.{len(method)}.json'
            subprocess.run([fathom, 'what-if', '--without', calls, *method, '--toggle', way, '--time', seconds, '--format', 'json', '-o', out, '--', *old], stderr=subprocess.DEVNULL)
            cost = json.load(open(out)); answer = cost['answer']; windows = (cost.get('toggling') or {}).get('windows') or {}
            value = answer.get('value', answer) if isinstance(answer, dict) else {}
            def time_of(which):
                t = value.get(which) if isinstance(value, dict) else None
                t = t.get('value', t) if isinstance(t, dict) else None
                s = value.get('meant_share', 1) if isinstance(value, dict) else 1
                return [f"{t[k] * s / 1e6:.3f}" if isinstance(t, dict) and 'median' in t else '' for k in ('median', 'low', 'high')]
            why = ''
            if 'alone_ns' not in value: why = json.dumps(answer)
            elif not time_of('cpu')[0] or not time_of('wall')[0]: why = json.dumps([value.get('cpu'), value.get('wall')])
            print(','.join([name, open('/proc/loadavg').read().split()[0], str(pairs)] + [f'{x:.3f}' for x in truth] + [way if windows or way == 'runs' else 'windows->runs', 'elided' if method else 'repeated', str(len(cost['runs'])), str(windows.get('calls', '')), str(windows.get('pairs', '')), f"{value.get('alone_ns', 0) / 1e6:.1f}"] + time_of('cpu') + time_of('wall') + ['"' + why.replace('"', "'")[:300] + '"']), flush=True)
