<?php
declare(strict_types=1);

final class Crate
{
    public function __construct(
        public readonly string $row,
        public readonly int $weight,
    ) {}

    public static function parse(string $line): self
    {
        [$row, $weight] = explode(' ', trim($line));
        return new self($row, (int) $weight);
    }

    public function grade(): string
    {
        return $this->weight >= 20 ? 'A' : ($this->weight >= 12 ? 'B' : 'C');
    }
}

$book = 'weights.csv';
$totals = [];
$number = 0;
foreach (file('crates.txt') as $line) {
    $crate = Crate::parse($line);
    $number++;
    $entry = sprintf("%04d,%s,%d,%s\n", $number, $crate->row, $crate->weight, $crate->grade());
    file_put_contents($book, $entry, FILE_APPEND);
    $totals[$crate->row] = ($totals[$crate->row] ?? 0) + $crate->weight;
}
ksort($totals);
foreach ($totals as $row => $weight) {
    echo "$row: $weight kg\n";
}
echo "$number crates booked\n";
