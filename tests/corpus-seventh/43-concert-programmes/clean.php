<?php
declare(strict_types=1);

function readProgramme(string $path): array
{
    $handle = fopen($path, 'r');
    if ($handle === false) {
        throw new RuntimeException("cannot open $path");
    }
    $fields = [];
    while (($line = fgets($handle)) !== false) {
        [$key, $value] = explode(': ', rtrim($line), 2);
        $fields[$key] = $value;
    }
    fclose($handle);
    return $fields;
}

$halls = [];
$composers = [];
$longest = ['minutes' => 0, 'evening' => 0];
for ($evening = 1; $evening <= 32; $evening++) {
    $programme = readProgramme("programmes/evening$evening.txt");
    $minutes = (int) $programme['minutes'];
    $halls[$programme['hall']] = ($halls[$programme['hall']] ?? 0) + $minutes;
    $composers[$programme['composer']][] = $evening;
    if ($minutes > $longest['minutes']) {
        $longest = ['minutes' => $minutes, 'evening' => $evening];
    }
}

ksort($halls);
foreach ($halls as $hall => $minutes) {
    echo "hall $hall: $minutes minutes\n";
}
ksort($composers);
echo count($composers), " composers, longest evening {$longest['evening']}\n";
