<?php
// How many colour gels must be cut for each scene's lamps? The lists may be long, so they go to
// sort(1) in a temporary file that has no name any more.
declare(strict_types=1);

function rig(string $path): array
{
    $scenes = array_fill(0, 9, []);
    foreach (file($path, FILE_IGNORE_NEW_LINES) as $line) {
        [, $colour, $scene] = explode(' ', $line);
        $scenes[(int) $scene][] = $colour;
    }
    return $scenes;
}

function unnamed()
{
    $name = tempnam('.', 'gel');
    $file = fopen($name, 'w+e');
    unlink($name);
    return $file;
}

function counted($file): array
{
    rewind($file);
    $pipes = [];
    $sort = proc_open(['sh', '-c', 'LC_ALL=C sort | uniq -c'], [$file, ['pipe', 'w']], $pipes);
    $lines = explode("\n", trim(stream_get_contents($pipes[1])));
    fclose($pipes[1]);
    if (proc_close($sort) !== 0) {
        throw new RuntimeException('sort failed');
    }
    return array_map(fn (string $l) => preg_split('/\s+/', trim($l)), $lines);
}

$rig = rig('rig.txt');
$total = 0;
for ($scene = 0; $scene < 9; $scene += 3) {
    $file = unnamed();
    $colours = array_merge(...array_slice($rig, $scene, 3));
    fwrite($file, implode("\n", $colours) . "\n");
    $parts = [];
    foreach (counted($file) as [$n, $colour]) {
        $parts[] = "$n $colour";
        $total += (int) $n;
    }
    fclose($file);
    echo 'scenes ' . $scene . ' to ' . ($scene + 2) . ': ' . implode(', ', $parts) . "\n";
}
echo "$total gels\n";
