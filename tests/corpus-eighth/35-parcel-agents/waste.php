<?php
// Splits the stops of a day among the vans; the route of each van is made by a helper (sort and awk).
declare(strict_types=1);

function load(string $path): array
{
    $vans = [];
    foreach (file($path, FILE_IGNORE_NEW_LINES) as $line) {
        [$van, $street, $parcels] = explode(' ', $line);
        $vans[$van][] = "$street $parcels";
    }
    ksort($vans);
    return $vans;
}

function route(string $van, array $stops): array
{
    $pipes = [];
    $helper = proc_open(
        ['sh', '-c', 'LC_ALL=C sort | awk \'{n[$1] += $2} END {for (s in n) print s, n[s]}\' | LC_ALL=C sort'],
        [['pipe', 'r'], ['pipe', 'w']],
        $pipes
    );
    fwrite($pipes[0], implode("\n", $stops) . "\n");
    fclose($pipes[0]);
    $text = stream_get_contents($pipes[1]);
    fclose($pipes[1]);
    if (proc_close($helper) !== 0) {
        throw new RuntimeException("no route for $van");
    }
    return explode("\n", trim($text));
}

$key = fopen('signing.key', 'r');
$journal = fopen('journal.txt', 'w');
$vans = load('stops.txt');
$parcels = 0;

foreach ($vans as $van => $stops) {
    $route = route($van, $stops);
    file_put_contents("vans/$van.txt", implode("\n", $route) . "\n");
    foreach ($route as $stop) {
        $parcels += (int) explode(' ', $stop)[1];
    }
    fwrite($journal, "$van " . count($route) . " stops\n");
    echo "$van: " . count($route) . " stops, first $route[0]\n";
}

$word = trim(fgets($key));
fwrite($journal, 'signed ' . crc32($word . $parcels) . "\n");
fclose($journal);
fclose($key);
echo "$parcels parcels\n";
