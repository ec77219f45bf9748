<?php
// Fills the prescriptions of an apothecary: days times dose, and the bill.

function remedy(string $herb): array
{
    static $all = null;
    $all ??= parse_ini_file('remedies.ini', true);
    if (!isset($all[$herb])) {
        throw new RuntimeException("no such herb: $herb");
    }
    return $all[$herb];
}

class Bill
{
    public int $cents = 0;
    public array $lines = [];

    public function add(string $herb, int $days): void
    {
        $r = remedy($herb);
        $amount = $days * (int) $r['dose'];
        $this->cents += $amount * (int) $r['price'];
        $this->lines[] = sprintf('%3d of %s from %s', $amount, $herb, $r['jar']);
    }
}

$bills = [];
foreach (file('scripts.txt', FILE_IGNORE_NEW_LINES) as $line) {
    [$patient, $herb, $days] = explode(' ', $line);
    $bills[$patient] ??= new Bill();
    $bills[$patient]->add($herb, (int) $days);
}
ksort($bills);

$text = '';
$total = 0;
foreach ($bills as $patient => $bill) {
    $text .= "$patient\n  " . implode("\n  ", $bill->lines) . "\n";
    $total += $bill->cents;
}
file_put_contents('bills.txt', $text);
printf("%d patients, %.2f\n", count($bills), $total / 100);
