<?php
// Builds the shop's shelves anew and puts each in the old one's place.

function dropTree(string $dir): int
{
    $n = 0;
    foreach (scandir($dir) as $name) {
        if ($name !== '.' && $name !== '..') {
            unlink("$dir/$name");
            $n++;
        }
    }
    rmdir($dir);
    return $n;
}

function build(string $dir, array $parasols): void
{
    mkdir($dir);
    foreach ($parasols as [$name, $colour, $pence]) {
        file_put_contents("$dir/$name.txt", "$colour parasol\n$pence pence\n");
    }
}

$shelves = [];
foreach (file('stock.txt', FILE_IGNORE_NEW_LINES) as $line) {
    [$shelf, $name, $colour, $pence] = explode(' ', $line);
    $shelves[$shelf][] = [$name, $colour, (int) $pence];
}
ksort($shelves);

$gone = 0;
$pence = 0;
foreach ($shelves as $shelf => $parasols) {
    $next = "shop/.$shelf.next";
    build($next, $parasols);
    // A directory that is not empty cannot be replaced by rename.
    $gone += dropTree("shop/$shelf");
    rename($next, "shop/$shelf");
    $pence += array_sum(array_column($parasols, 2));
}
printf("%d shelves, %d parasols worth %.2f\n", count($shelves), array_sum(array_map('count', $shelves)), $pence / 100);
echo "$gone old cards gone\n";
