<?php
// Works out which recipes have to be uploaded again, and makes the index entries for them.

function manifest(string $file): array
{
    $known = [];
    foreach (file($file, FILE_IGNORE_NEW_LINES) as $line) {
        [$sum, $path] = explode('  ', $line, 2);
        $known[$path] = $sum;
    }
    return $known;
}

function entry(string $path): array
{
    $text = file_get_contents($path);
    preg_match('/^# (.*)$/m', $text, $title);
    preg_match('/^serves: (\d+)$/m', $text, $serves);
    return [
        'title'  => $title[1],
        'serves' => (int) $serves[1],
        'steps'  => preg_match_all('/^- /m', $text),
    ];
}

$changed = [];
$steps = 0;
foreach (manifest('manifest.md5') as $path => $sum) {
    $fresh = md5_file($path) !== $sum;
    $entry = entry($path);
    $steps += $entry['steps'];
    if ($fresh) {
        $changed[$path] = $entry;
    }
}

foreach ($changed as $path => $e) {
    printf("%s %-10s serves %d, %d ingredients\n", $path, $e['title'], $e['serves'], $e['steps']);
}
printf("%d to upload, %d ingredients in all\n", count($changed), $steps);
