<?php
// Lists a mushroom club's finds by kind, with a key for each sheet in the shared catalogue.
declare(strict_types=1);

final class Find
{
    public function __construct(
        public readonly string $key,
        public readonly string $kind,
        public readonly int $height,
        public readonly int $eaten,
    ) {
    }
}

function catalogue_key(string $file): string
{
    return hash('crc32b', basename($file, '.txt'));
}

function read_find(string $sheet): Find
{
    $file = getcwd() . '/finds/' . $sheet;
    [$kind, $height, $eaten] = file($file, FILE_IGNORE_NEW_LINES);
    return new Find(catalogue_key($file), $kind, (int) $height, (int) $eaten);
}

$finds = [];
for ($i = 1; $i <= 44; $i++) {
    $finds[] = read_find("f$i.txt");
}

$kinds = [];
foreach ($finds as $find) {
    $kinds[$find->kind][] = $find;
}
ksort($kinds);

$out = fopen('links.txt', 'w');
foreach ($kinds as $kind => $list) {
    usort($list, fn (Find $a, Find $b) => $b->height <=> $a->height);
    $eaten = array_sum(array_map(fn (Find $f) => $f->eaten, $list));
    echo "$kind: " . count($list) . " finds, highest {$list[0]->height} m, $eaten eaten\n";
    fwrite($out, implode("\n", array_map(fn (Find $f) => "$kind $f->key", $list)) . "\n");
}
fclose($out);
echo count($finds) . " finds\n";
