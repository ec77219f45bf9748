<?php
// Goes through the cellar book and adds, bottle by bottle, how long the tasting text is.
declare(strict_types=1);

function words_in(string $path): int
{
    $proc = proc_open(
        ['wc', '-w', $path],
        [0 => ['file', '/dev/null', 'r'], 1 => ['pipe', 'w']],
        $pipes
    );
    if ($proc === false) {
        throw new RuntimeException('wc');
    }
    $text = stream_get_contents($pipes[1]);
    fclose($pipes[1]);
    if (proc_close($proc) !== 0) {
        throw new RuntimeException("wc failed for $path");
    }
    return (int) $text;
}

$cellar = fopen('cellar.csv', 're');
$notes = fopen('notes.txt', 'we');
if ($cellar === false || $notes === false) {
    exit(1);
}

$bottles = 0;
$total = 0;
$places = [];
while (($row = fgetcsv($cellar)) !== false) {
    [$bottle, $year, $place] = $row;
    $words = words_in("tastings/$bottle.txt");
    $total += $words;
    $bottles++;
    $places[$place] = ($places[$place] ?? 0) + 1;
    fwrite($notes, sprintf("%s (%d), %s: %d words\n", $bottle, $year, $place, $words));
}
fclose($cellar);
fclose($notes);

ksort($places);
echo "$bottles bottles, $total words\n";
foreach ($places as $place => $n) {
    echo "  $place: $n\n";
}
