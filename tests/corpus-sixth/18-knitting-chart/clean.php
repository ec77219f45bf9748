<?php
// Draws the knitting chart of a star sweater and counts the yarn that it needs.

const WIDTH = 36;
const HEIGHT = 48;
const SYMBOL = ['.', 'x', 'o', '/'];

function stitch(int $row, int $col): int
{
    $dx = abs($col % 18 - 9);
    $dy = abs($row % 16 - 8);
    if ($dx === $dy || $dx === 0 || $dy === 0) {
        return 1;
    }
    if (($row * 5 + $col) % 23 === 0) {
        return 2;
    }
    return $row > 40 ? 3 : 0;
}

$chart = '';
$used = [0, 0, 0, 0];
for ($row = HEIGHT; $row >= 1; $row--) {
    for ($col = 1; $col <= WIDTH; $col++) {
        $s = stitch($row, $col);
        $used[$s]++;
        $chart .= SYMBOL[$s];
        if ($col % 6 === 0) {
            $chart .= '|';
        }
    }
    $chart .= sprintf(" %d\n", $row);
}
if (file_put_contents('chart.txt', $chart) !== strlen($chart)) {
    exit(1);
}

$names = ['ground', 'white', 'red', 'border'];
foreach ($used as $s => $n) {
    printf("%-7s %5d stitches, %.1f m\n", $names[$s], $n, $n * 0.021);
}
echo filesize('chart.txt'), " bytes of chart\n";
