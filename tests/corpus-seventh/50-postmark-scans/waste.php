<?php
declare(strict_types=1);

final class Scan
{
    public int $year;
    public int $size;
    public int $time;

    public function __construct(string $path)
    {
        $handle = fopen($path, 'rb');
        if ($handle === false) {
            throw new RuntimeException("cannot open $path");
        }
        $head = fread($handle, 6);
        if (substr($head, 0, 2) !== 'PM') {
            throw new RuntimeException("$path is no scan");
        }
        $this->year = (int) substr($head, 2);
        $this->size = filesize($path);
        $this->time = filemtime($path);
        fclose($handle);
    }
}

$bytes = 0;
$decades = [];
$newest = 0;
for ($i = 1; $i <= 35; $i++) {
    $scan = new Scan("scans/mark$i.pm");
    $bytes += $scan->size;
    $newest = max($newest, $scan->time);
    $decade = intdiv($scan->year, 10) * 10;
    $decades[$decade] = ($decades[$decade] ?? 0) + 1;
}
foreach ($decades as $decade => $count) {
    echo "{$decade}s: $count\n";
}
echo "35 scans, $bytes bytes, newest of ", gmdate('Y-m-d', $newest), "\n";
