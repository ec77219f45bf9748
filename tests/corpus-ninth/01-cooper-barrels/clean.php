<?php
// Lists the casks due for inspection: those whose card was last touched long ago.

const LIMIT = 4096;
date_default_timezone_set('UTC');

function card(string $path): ?array
{
    $in = @fopen($path, 'r');
    if ($in === false) {
        return null;
    }
    $facts = fstat($in);
    if ($facts['size'] > LIMIT) {
        fclose($in);
        return null;
    }
    $touched = $facts['mtime'];
    $card = ['touched' => $touched];
    while (($line = fgets($in)) !== false) {
        [$key, $value] = explode(' ', trim($line), 2);
        $card[$key] = $value;
    }
    fclose($in);
    return $card;
}

$due = [];
$litres = 0;
$unreadable = 0;
for ($i = 1; $i <= 45; $i++) {
    $card = card("casks/cask$i.card");
    if ($card === null) {
        $unreadable++;
        continue;
    }
    $litres += (int) $card['litres'];
    if ($card['touched'] < strtotime('2023-04-01')) {
        $due["cask$i"] = $card;
    }
}
uasort($due, fn ($a, $b) => $a['touched'] <=> $b['touched'] ?: (int) $b['litres'] <=> (int) $a['litres']);

$list = '';
foreach ($due as $name => $card) {
    $list .= sprintf("%-7s %-10s %3d l  since %s\n", $name, $card['oak'], $card['litres'], date('Y-m-d', $card['touched']));
}
file_put_contents('inspection.txt', $list);
printf("%d casks due, %d without a card, %d litres in all\n", count($due), $unreadable, $litres);
echo strtok($list, "\n"), "\n";
