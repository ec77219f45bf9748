<?php
// Long listing of the bindery's shelf: mode, size, date and name of every volume.

date_default_timezone_set('UTC');

function mode_text(int $mode): string
{
    $text = '';
    foreach ([6, 3, 0] as $shift) {
        $bits = ($mode >> $shift) & 7;
        $text .= ($bits & 4 ? 'r' : '-') . ($bits & 2 ? 'w' : '-') . ($bits & 1 ? 'x' : '-');
    }
    return $text;
}

$names = array_values(array_diff(scandir('shelf'), ['.', '..']));
$rows = [];
$total = 0;
foreach ($names as $name) {
    $st = lstat("shelf/$name");
    $rows[] = [
        'mode' => mode_text($st['mode']),
        'size' => $st['size'],
        'date' => date('Y-m-d', $st['mtime']),
        'name' => $name,
    ];
    $total += $st['size'];
}

usort($rows, fn ($a, $b) => $b['size'] <=> $a['size'] ?: strcmp($a['name'], $b['name']));
foreach ($rows as $row) {
    printf("%s %5d %s %s\n", $row['mode'], $row['size'], $row['date'], $row['name']);
}
printf("%d volumes, %d bytes\n", count($rows), $total);
