<?php
// Serves the orders of a haberdasher: each cloth code has a few bolts lying on the shelf,
// the shortest one that is long enough is cut.
declare(strict_types=1);

function choose(array $files, int $yards): ?array
{
    $best = null;
    foreach ($files as $file) {
        [$length, $price] = array_map('intval', explode(' ', trim(file_get_contents($file))));
        if ($length >= $yards && ($best === null || $length < $best['length'])) {
            $best = ['file' => basename($file), 'length' => $length, 'price' => $price];
        }
    }
    return $best;
}

$cut = 0;
$short = [];
$takings = 0;
$slip = '';
foreach (file('orders.txt', FILE_IGNORE_NEW_LINES) as $order) {
    [$code, $yards] = explode(' ', $order);
    $bolt = choose(glob("bolts/$code-*.txt"), (int) $yards);
    if ($bolt === null) {
        $short[] = $code;
        continue;
    }
    $cut++;
    $takings += (int) $yards * $bolt['price'];
    $slip .= "$yards yards from {$bolt['file']}\n";
}
file_put_contents('slip.txt', $slip);

echo "$cut orders cut, $takings pence\n";
echo 'too short: ', $short ? implode(' ', $short) : 'none', "\n";
