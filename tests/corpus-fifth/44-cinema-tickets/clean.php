<?php
// Ends the sale for one show: the holds on the seats that were paid for are taken away.
declare(strict_types=1);

final class Holds
{
    public int $released = 0;
    public int $without = 0;

    public function __construct(private string $dir)
    {
    }

    public function release(string $seat): void
    {
        $file = "$this->dir/$seat.hold";
        if (@unlink($file)) {
            $this->released++;
        } else {
            $this->without++;
        }
    }
}

$holds = new Holds('holds');
$takings = 0;
$sold = 0;
foreach (file('sales.txt', FILE_IGNORE_NEW_LINES) as $line) {
    [$seat, $minutes] = explode(' ', $line);
    if ((int) $minutes > 24) {
        continue; // not paid in time, the hold stays
    }
    $holds->release($seat);
    $takings += 12;
    $sold++;
}

echo "sold: $sold, takings: $takings\n";
echo "holds released: {$holds->released}, none held: {$holds->without}\n";
echo 'holds left: ', count(scandir('holds')) - 2, "\n";
