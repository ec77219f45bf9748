<?php
// Prints the kitchen's slips; each is laid out by a helper program.

class Ledger
{
    private array $books = [];

    public function write(string $table, string $text): void
    {
        if (!isset($this->books[$table])) {
            $this->books[$table] = fopen("books/$table.txt", 'a');
        }
        fwrite($this->books[$table], $text . "\n");
    }

    public function tables(): int
    {
        return count($this->books);
    }
}

function slip(array $dishes): string
{
    $pipes = [];
    $p = proc_open(['sort', '-r'], [['pipe', 'r'], ['pipe', 'w']], $pipes);
    fwrite($pipes[0], implode("\n", $dishes) . "\n");
    fclose($pipes[0]);
    $text = stream_get_contents($pipes[1]);
    fclose($pipes[1]);
    proc_close($p);
    return $text;
}

@mkdir('books');
$ledger = new Ledger();
$slips = '';
$orders = [];
foreach (file('orders.txt', FILE_IGNORE_NEW_LINES) as $line) {
    [$table, $dish] = explode(' ', $line, 2);
    $orders[$table][] = $dish;
    $ledger->write($table, $dish);
    if (count($orders[$table]) == 4) {
        $slips .= "-- $table\n" . slip($orders[$table]);
        $orders[$table] = [];
    }
}
file_put_contents('slips.txt', $slips);
echo $ledger->tables(), " tables, ", substr_count($slips, '--'), " slips\n";
echo substr_count($slips, 'olives'), " times olives\n";
