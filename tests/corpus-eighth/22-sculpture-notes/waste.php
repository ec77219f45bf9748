<?php
// Catalogue of a sculpture park: one line for every note, with a checksum.

function checksum(string $path): string
{
    return substr(md5_file($path), 0, 8);
}

function parse(array $lines): array
{
    $note = [];
    foreach ($lines as $line) {
        $parts = explode(': ', $line, 2);
        if (count($parts) === 2) {
            $note[$parts[0]] = $parts[1];
        }
    }
    return $note;
}

$csv = "title,stone,weight,check\n";
$weight = [];
$dirty = 0;
$count = 0;
foreach (scandir('notes') as $name) {
    if ($name[0] === '.') {
        continue;
    }
    $path = "notes/$name";
    $sum = checksum($path);
    $note = parse(file($path, FILE_IGNORE_NEW_LINES));
    $csv .= "{$note['title']},{$note['stone']},{$note['weight']},$sum\n";
    $weight[$note['stone']] = ($weight[$note['stone']] ?? 0) + (int) $note['weight'];
    $dirty += $note['needs cleaning'] === 'yes' ? 1 : 0;
    $count++;
}
file_put_contents('catalogue.csv', $csv);

ksort($weight);
foreach ($weight as $stone => $kg) {
    echo "$stone: $kg kg\n";
}
echo "$count sculptures, $dirty to be cleaned, catalogue ", md5($csv), "\n";
