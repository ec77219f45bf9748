<?php
// Nightly price import: checks a supplier's list, keeps a list of what was refused.
declare(strict_types=1);

const RATES = [7, 19];
const CURRENCIES = ['EUR', 'CHF'];

final class Rejects
{
    private string $path;
    public int $count = 0;

    public function __construct(string $path)
    {
        $this->path = $path;
        file_put_contents($this->path, "line,sku,reason\n");
    }

    public function add(int $line, string $sku, string $reason): void
    {
        file_put_contents($this->path, "$line,$sku,$reason\n", FILE_APPEND | LOCK_EX);
        $this->count++;
    }
}

/** Why a row is refused, or null. */
function fault(array $row): ?string
{
    if (count($row) !== 4) {
        return 'columns';
    }
    if (!in_array((int) $row[2], RATES, true)) {
        return 'vat';
    }
    if (!in_array($row[3], CURRENCIES, true)) {
        return 'currency';
    }
    return null;
}

function main(array $argv): int
{
    if (count($argv) !== 3) {
        fwrite(STDERR, "usage: import.php LIST REJECTS\n");
        return 2;
    }
    $in = fopen($argv[1], 'r');
    if ($in === false) {
        return 1;
    }
    $rejects = new Rejects($argv[2]);
    fgetcsv($in);
    $line = 1;
    $cents = 0;
    $good = 0;
    while (($row = fgetcsv($in)) !== false) {
        $line++;
        $reason = fault($row);
        if ($reason !== null) {
            $rejects->add($line, $row[0], $reason);
            continue;
        }
        $good++;
        $cents += (int) round(((float) $row[1]) * 100);
    }
    fclose($in);
    printf("%d prices, %d cents, %d rejected\n", $good, $cents, $rejects->count);
    return 0;
}

exit(main($argv));
