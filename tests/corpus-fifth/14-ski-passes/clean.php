<?php
// The till of a ski lift: prices the passes sold today.

final class Tariff
{
    public static function price(string $who, int $days): float
    {
        static $ini = null;
        $ini ??= parse_ini_file('prices.ini', true, INI_SCANNER_TYPED);
        if (!isset($ini['day'][$who], $ini['factor'][$days])) {
            throw new DomainException("no price for $who, $days days");
        }
        return $ini['day'][$who] * $ini['factor'][$days];
    }
}

final class Sale
{
    public function __construct(
        public readonly string $who,
        public readonly int $days,
        public readonly int $count,
    ) {
    }

    public function total(): float
    {
        return $this->count * Tariff::price($this->who, $this->days);
    }
}

$takings = [];
$passes = 0;
foreach (file('sales.csv', FILE_IGNORE_NEW_LINES) as $line) {
    [$who, $days, $count] = explode(',', $line);
    $sale = new Sale($who, (int) $days, (int) $count);
    $takings[$who] = ($takings[$who] ?? 0) + $sale->total();
    $passes += $sale->count;
}
ksort($takings);
foreach ($takings as $who => $sum) {
    printf("%-7s %10.2f\n", $who, $sum);
}
printf("%d passes, %.2f in all\n", $passes, array_sum($takings));
