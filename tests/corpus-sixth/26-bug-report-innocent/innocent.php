<?php
// Collects the state of the machine for a bug report.

const WANTED = [
    '/proc/version', '/proc/cpuinfo', '/proc/meminfo', '/proc/filesystems', '/proc/cmdline',
    '/proc/uptime', '/proc/loadavg', '/proc/swaps', '/proc/self/limits', '/proc/self/mountinfo',
    '/proc/self/status', '/proc/self/cgroup', '/proc/self/maps', '/proc/self/auxv',
];

function collect(string $source, string $target): int
{
    $in = @fopen($source, 'rb');
    if ($in === false) {
        return -1;
    }
    $data = '';
    while (($part = fread($in, 65536)) !== false && $part !== '') {
        $data .= $part;
    }
    fclose($in);
    if (file_put_contents($target, $data) !== strlen($data)) {
        fwrite(STDERR, "cannot write $target\n");
        exit(1);
    }
    return strlen($data);
}

if (!mkdir('report')) {
    exit(1);
}
$empty = [];
$missing = [];
$good = 0;
foreach (WANTED as $source) {
    $name = str_replace('/', '_', substr($source, 6));
    $bytes = collect($source, "report/$name.txt");
    if ($bytes < 0) {
        $missing[] = $name;
    } elseif ($bytes === 0) {
        $empty[] = $name;
    } else {
        $good++;
    }
}

printf("%d files in the report\n", $good);
printf("empty: %s\n", $empty ? implode(' ', $empty) : 'none');
printf("missing: %s\n", $missing ? implode(' ', $missing) : 'none');
