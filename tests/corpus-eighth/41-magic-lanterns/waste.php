<?php
// Puts a magic lantern show together: each scene shows all slides of one set, in their order.
declare(strict_types=1);

const SLIDES = 'slides';

function slides_of_set(int $set): array
{
    $prefix = sprintf('s%02d-', $set);
    $slides = array_filter(scandir(SLIDES), fn (string $name) => str_starts_with($name, $prefix));
    sort($slides);
    return $slides;
}

function seconds(string $slide): int
{
    $text = file_get_contents(SLIDES . '/' . $slide);
    if (!preg_match('/, (\d+) seconds/', $text, $m)) {
        throw new UnexpectedValueException("$slide: no time");
    }
    return (int) $m[1];
}

$programme = array_map('intval', explode(' ', trim(file_get_contents('programme.txt'))));
$times = [];
foreach ($programme as $set) {
    foreach (slides_of_set($set) as $slide) {
        $times[$set][] = seconds($slide);
    }
}

// the encore: from each set the slide that stays longest, whatever the programme says
$encore = 0;
for ($set = 0; $set < 12; $set++) {
    $slides = slides_of_set($set);
    $encore += max(array_map('seconds', $slides));
}

foreach ($times as $set => $list) {
    echo "set $set: " . count($list) . ' slides, ' . array_sum($list) . " s\n";
}
$show = array_sum(array_map('array_sum', $times));
echo "show $show s, encore $encore s\n";
