<?php
// Bills the orders of a canteen's lunch hour.

function load_prices(): array
{
    $prices = parse_ini_file('prices.ini', true, INI_SCANNER_TYPED);
    if ($prices === false) {
        exit(1);
    }
    return $prices;
}

function price_of(string $meal, string $group): int
{
    $prices = load_prices();
    $full = $prices['meals'][$meal];
    $rebate = $prices['rebate'][$group] ?? 0;
    return intdiv($full * (100 - $rebate), 100);
}

$lines = file('orders.txt', FILE_IGNORE_NEW_LINES);
$receipts = "order,meal,group,cents\n";
$takings = [];
$orders = 0;
foreach ($lines as $line) {
    [$number, $meal, $group] = explode(' ', $line);
    $cents = price_of($meal, $group);
    $receipts .= "$number,$meal,$group,$cents\n";
    $takings[$group] = ($takings[$group] ?? 0) + $cents;
    $orders++;
}
file_put_contents('receipts.csv', $receipts);

ksort($takings);
foreach ($takings as $group => $cents) {
    printf("%-8s %7.2f\n", $group, $cents / 100);
}
echo "$orders orders\n";
