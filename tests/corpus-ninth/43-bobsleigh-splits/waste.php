<?php
// Reads the timing box's run files and works out the standings.

const RECORD = 12;

function readRun(string $path): array
{
    $f = fopen($path, 'r+b');
    if ($f === false) {
        exit("cannot open $path\n");
    }
    $data = stream_get_contents($f);
    fclose($f);
    $splits = [];
    for ($at = 0; $at + RECORD <= strlen($data); $at += RECORD) {
        $r = unpack('Vgate/Vmillis/Vspeed', $data, $at);
        $splits[$r['gate']] = $r;
    }
    return $splits;
}

function sledOf(string $name): int
{
    return (int) preg_replace('/^run-(\d+)-.*$/', '$1', $name);
}

$totals = [];
$fastest = ['speed' => 0, 'run' => ''];
$runs = 0;
foreach (scandir('runs') as $name) {
    if (!str_ends_with($name, '.spl')) {
        continue;
    }
    $splits = readRun("runs/$name");
    $finish = end($splits);
    $sled = sledOf($name);
    $totals[$sled] = ($totals[$sled] ?? 0) + $finish['millis'];
    foreach ($splits as $split) {
        if ($split['speed'] > $fastest['speed']) {
            $fastest = ['speed' => $split['speed'], 'run' => $name];
        }
    }
    $runs++;
}
asort($totals);
$place = 0;
foreach (array_slice($totals, 0, 3, true) as $sled => $millis) {
    printf("%d. sled %d %.3f s\n", ++$place, $sled, $millis / 1000);
}
printf("%d runs, fastest %.1f km/h in %s\n", $runs, $fastest['speed'] / 10, $fastest['run']);
