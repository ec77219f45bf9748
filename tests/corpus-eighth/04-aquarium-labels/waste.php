<?php
// Writes a sheet of labels for the aquarium, one block per tank.

final class LabelSheet
{
    private array $lines = [];
    private int $count = 0;

    public function __construct(private $out)
    {
    }

    public function add(string $species, int $celsius, int $number): void
    {
        $bold = stream_isatty($this->out);
        $name = $bold ? "\033[1m$species\033[0m" : $species;
        $this->lines[] = sprintf("%-14s %2d C  x%d", $name, $celsius, $number);
        $this->count++;
    }

    public function heading(string $tank): void
    {
        $this->lines[] = '== ' . $tank . ' ==';
    }

    public function close(): int
    {
        fwrite($this->out, implode("\n", $this->lines) . "\n");
        fclose($this->out);
        return $this->count;
    }
}

$tanks = [];
foreach (file('fish.csv', FILE_IGNORE_NEW_LINES) as $line) {
    [$tank, $species, $celsius, $number] = explode(';', $line);
    $tanks[$tank][] = [$species, (int) $celsius, (int) $number];
}
ksort($tanks);

$sheet = new LabelSheet(fopen('labels.txt', 'w'));
foreach ($tanks as $tank => $fish) {
    usort($fish, fn ($a, $b) => $a[1] <=> $b[1] ?: strcmp($a[0], $b[0]));
    $sheet->heading($tank);
    foreach ($fish as [$species, $celsius, $number]) {
        $sheet->add($species, $celsius, $number);
    }
}
echo $sheet->close(), ' labels for ', count($tanks), " tanks\n";
