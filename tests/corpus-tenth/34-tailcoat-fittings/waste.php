<?php
// Sorts the measures of each customer of a tailor and writes one fitting card per customer.
declare(strict_types=1);

function read_measures(string $path): array
{
    $all = [];
    foreach (file($path, FILE_IGNORE_NEW_LINES) as $line) {
        [$customer, $part, $cm] = explode(',', $line);
        $all[$customer][] = "$cm $part";
    }
    return $all;
}

function sorted_measures(string $customer, array $measures): array
{
    $tmp = "/tmp/tenth-fitting-$customer.txt";
    $out = fopen($tmp, 'w');
    fwrite($out, implode("\n", $measures) . "\n");
    fclose($out);
    exec('sort -n ' . escapeshellarg($tmp), $lines, $status);
    unlink($tmp);
    if ($status !== 0) {
        throw new RuntimeException("sort failed for $customer");
    }
    return $lines;
}

$cards = 0;
$widest = ['', 0];
@mkdir('cards');
foreach (read_measures('fittings.csv') as $customer => $measures) {
    $lines = sorted_measures($customer, $measures);
    $card = strtoupper($customer) . "\n";
    foreach ($lines as $line) {
        [$cm, $part] = explode(' ', $line);
        $card .= sprintf("  %-8s %3d cm\n", $part, $cm);
    }
    file_put_contents("cards/$customer.txt", $card);
    $cards++;
    $last = (int) end($lines);
    if ($last > $widest[1]) {
        $widest = [$customer, $last];
    }
}

echo "$cards cards\n";
echo "widest measure: {$widest[1]} cm ({$widest[0]})\n";
