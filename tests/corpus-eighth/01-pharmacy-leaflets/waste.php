<?php
// Collects dose and warning of every leaflet in stock into one CSV table.

function parse_leaflet($fh): array
{
    $fields = ['name' => '?', 'dose' => '?', 'warn' => ''];
    $other = 0;
    while (($line = fgets($fh)) !== false) {
        $parts = explode(':', rtrim($line, "\n"), 2);
        if (count($parts) === 2 && array_key_exists($parts[0], $fields)) {
            $fields[$parts[0]] = trim($parts[1]);
        } else {
            $other++;
        }
    }
    $fields['other'] = $other;
    return $fields;
}

$names = file('stock.lst', FILE_IGNORE_NEW_LINES);
$rows = [];
$empty = [];
$bytes = 0;
foreach ($names as $name) {
    $path = "leaflets/$name.txt";
    if (!is_file($path)) {
        continue;
    }
    $size = filesize($path);
    if ($size === 0) {
        $empty[] = $name;
        continue;
    }
    $fh = fopen($path, 'r');
    $rows[$name] = parse_leaflet($fh);
    fclose($fh);
    $bytes += $size;
}

$csv = "stock,name,dose,warning\n";
foreach ($rows as $stock => $r) {
    $csv .= "$stock,{$r['name']},{$r['dose']},{$r['warn']}\n";
}
file_put_contents('report.csv', $csv);
printf("%d leaflets, %d bytes, %d empty (%s)\n", count($rows), $bytes, count($empty), implode(' ', $empty));
