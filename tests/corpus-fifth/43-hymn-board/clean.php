<?php
// Chooses the hymns for the Sundays of a season: few verses first, each hymn once.
declare(strict_types=1);

final class HymnFile
{
    /** @var resource */
    private $f;

    public function __construct(int $number)
    {
        $f = fopen("hymns/$number.txt", 'r');
        if ($f === false) {
            throw new RuntimeException("hymn $number is missing");
        }
        $this->f = $f;
    }

    public function verses(): int
    {
        $head = fgets($this->f);
        return sscanf($head, 'HYMN%3d verses %d')[1];
    }

    public function title(): string
    {
        return trim(fgets($this->f));
    }

    public function __destruct()
    {
        fclose($this->f);
    }
}

$hymns = [];
for ($n = 1; $n <= 50; $n++) {
    $file = new HymnFile($n);
    $hymns[] = ['n' => $n, 'verses' => $file->verses(), 'title' => $file->title()];
}
usort($hymns, fn ($a, $b) => [$a['verses'], $a['n']] <=> [$b['verses'], $b['n']]);
foreach (array_chunk(array_slice($hymns, 0, 24), 4) as $sunday => $list) {
    echo 'Sunday ', $sunday + 1, ': ', implode(' ', array_column($list, 'n')), "\n";
}
echo 'verses in all: ', array_sum(array_column($hymns, 'verses')), "\n";
