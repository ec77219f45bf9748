<?php
declare(strict_types=1);

// What did the taxis earn today?

function zones(): array
{
    $zones = parse_ini_file('zones.ini', true, INI_SCANNER_TYPED);
    if ($zones === false) {
        throw new RuntimeException('zones.ini is not readable');
    }
    return $zones;
}

function fare(string $zone, int $km): int
{
    $zones = zones();
    if (!isset($zones[$zone])) {
        return 0;
    }
    $fare = $zones[$zone]['base'] + $zones[$zone]['km'] * $km;
    return $km > 20 ? intdiv($fare * 9, 10) : $fare;
}

$earned = [];
$longest = 0;
foreach (file('rides.csv', FILE_IGNORE_NEW_LINES) as $line) {
    [$zone, $km] = explode(',', $line);
    $earned[$zone][] = fare($zone, (int) $km);
    $longest = max($longest, (int) $km);
}
ksort($earned);
foreach ($earned as $zone => $fares) {
    printf("%-8s %3d rides %6d crowns\n", $zone, count($fares), array_sum($fares));
}
echo "longest ride $longest km\n";
