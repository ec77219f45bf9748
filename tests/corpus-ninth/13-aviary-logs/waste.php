<?php
// Sums up the keepers' logs: eggs and grams of seed for each cage.

const DIRECTORY = 'cages';

function readLog(string $path): ?array
{
    if (!file_exists($path)) {
        return null;
    }
    $lines = file($path, FILE_IGNORE_NEW_LINES);
    if ($lines === false) {
        return null;
    }
    $eggs = 0;
    $seed = 0;
    foreach ($lines as $line) {
        [$day, $e, $s] = explode(' ', $line);
        $eggs += (int) $e;
        $seed += (int) $s;
    }
    return ['days' => count($lines), 'eggs' => $eggs, 'seed' => $seed];
}

$cages = [];
foreach (scandir(DIRECTORY) as $name) {
    if (!str_ends_with($name, '.log')) {
        continue;
    }
    $log = readLog(DIRECTORY . '/' . $name);
    if ($log !== null) {
        $cages[basename($name, '.log')] = $log;
    }
}
uasort($cages, fn ($a, $b) => $b['eggs'] <=> $a['eggs'] ?: $a['seed'] <=> $b['seed']);

$report = '';
foreach ($cages as $cage => $log) {
    $report .= sprintf("%-8s %d days %3d eggs %4d g\n", $cage, $log['days'], $log['eggs'], $log['seed']);
}
file_put_contents('week.txt', $report);
printf("%d cages, %d eggs, %d g of seed\n", count($cages), array_sum(array_column($cages, 'eggs')), array_sum(array_column($cages, 'seed')));
