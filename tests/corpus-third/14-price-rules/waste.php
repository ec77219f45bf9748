<?php
// Totals of an order file.

function rule(string $section, string $key): int
{
    $ini = parse_ini_file(__DIR__ . '/etc/pricing.ini', true);
    return (int) ($ini[$section][$key] ?? 0);
}

class Order
{
    private array $lines = [];

    public function add(string $kind, int $cents): void
    {
        $this->lines[] = [$kind, $cents];
    }

    public function total(): int
    {
        $sum = 0;
        foreach ($this->lines as [$kind, $cents]) {
            $sum += intdiv($cents * (100 + rule('vat', $kind)), 100);
        }
        return $sum < rule('shipping', 'free_from') ? $sum + rule('shipping', 'flat') : $sum;
    }
}

$grand = 0;
for ($o = 0; $o < 20; $o++) {
    $order = new Order();
    for ($i = 0; $i < 4; $i++) {
        $order->add(['book', 'tool', 'food'][($o + $i) % 3], 100 + 37 * $i * $o);
    }
    $grand += $order->total();
}
echo "grand total $grand\n";
