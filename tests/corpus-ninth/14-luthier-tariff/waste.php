<?php
// Writes the bills for the repairs of the month.

function tariff(string $section, string $key): int
{
    $tariff = parse_ini_file('tariff.ini', true);
    return (int) $tariff[$section][$key];
}

class Repair
{
    public function __construct(
        public readonly string $instrument,
        public readonly string $what,
        public readonly bool $rush,
    ) {
    }

    public static function fromLine(string $line): self
    {
        [$instrument, $what, $pace] = explode(' ', $line);
        return new self($instrument, $what, $pace === 'rush');
    }

    public function price(): int
    {
        $price = tariff('hours', $this->what) * tariff('money', 'hour');
        if ($this->rush) {
            $price += intdiv($price * 30, 100);
        }
        return $price;
    }
}

$repairs = array_map(Repair::fromLine(...), file('repairs.txt', FILE_IGNORE_NEW_LINES));
$sum = 0;
$kinds = [];
$bills = '';
foreach ($repairs as $repair) {
    $price = $repair->price();
    $sum += $price;
    $kinds[$repair->what] = ($kinds[$repair->what] ?? 0) + $price;
    $bills .= sprintf("%-9s %-8s %9.2f%s\n", $repair->instrument, $repair->what, $price / 100, $repair->rush ? ' (rush)' : '');
}
file_put_contents('bills.txt', $bills);
arsort($kinds);
printf("%d repairs, %.2f in all\n", count($repairs), $sum / 100);
printf("most earned by: %s\n", array_key_first($kinds));
