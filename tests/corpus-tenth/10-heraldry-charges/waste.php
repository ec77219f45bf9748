<?php
// Draws the charges of a blazon into one sheet; a family's own form goes before the common one.

const LAYERS = ['family', 'county', 'realm', 'common'];

function findCharge(string $name): ?array
{
    foreach (LAYERS as $layer) {
        $file = @fopen("charges/$layer/$name.path", 'r');
        if ($file === false) {
            continue;
        }
        $path = stream_get_contents($file);
        fclose($file);
        return [$layer, trim($path)];
    }
    return null;
}

$sheet = "<svg xmlns=\"http://www.w3.org/2000/svg\">\n";
$used = array_fill_keys(LAYERS, 0);
$unknown = 0;
foreach (file('blazon.txt', FILE_IGNORE_NEW_LINES) as $i => $name) {
    $charge = findCharge($name);
    if ($charge === null) {
        $unknown++;
        continue;
    }
    [$layer, $path] = $charge;
    $used[$layer]++;
    $x = $i % 8 * 64;
    $y = intdiv($i, 8) * 64;
    $sheet .= "<path class=\"$layer\" transform=\"translate($x $y)\" d=\"$path\"/>\n";
}
file_put_contents('sheet.svg', $sheet . "</svg>\n");

foreach ($used as $layer => $n) {
    echo "$layer: $n\n";
}
echo "unknown: $unknown\n";
