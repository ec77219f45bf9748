<?php
declare(strict_types=1);

// Finds drafts of the same sermon and tells how long each sermon is.

final class Draft
{
    public string $sum;
    public int $lines = 0;
    public int $rises = 0;

    public function __construct(public string $path)
    {
        $this->sum = md5_file($path);
        $lines = file($path, FILE_IGNORE_NEW_LINES);
        foreach ($lines as $line) {
            $this->lines++;
            if (str_ends_with($line, 'rise')) {
                $this->rises++;
            }
        }
    }
}

$sermons = [];
$lines = 0;
for ($i = 0; $i < 30; $i++) {
    $draft = new Draft("drafts/d$i.txt");
    $sermons[$draft->sum][] = $draft;
    $lines += $draft->lines;
}

foreach ($sermons as $sum => $drafts) {
    if (count($drafts) > 1) {
        $names = array_map(fn (Draft $d) => basename($d->path), $drafts);
        printf("%s: %s (%d rises)\n", substr($sum, 0, 8), implode(' ', $names), $drafts[0]->rises);
    }
}
printf("%d drafts, %d sermons, %d lines\n", 30, count($sermons), $lines);
