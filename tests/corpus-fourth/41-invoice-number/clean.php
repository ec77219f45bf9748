<?php
// Writes the invoices of the month with running numbers.

function last_number(string $dir): int
{
    $last = 0;
    foreach (scandir($dir) as $name) {
        if (preg_match('/^R(\d+)\.txt$/', $name, $m)) {
            $last = max($last, (int) $m[1]);
        }
    }
    return $last;
}

$number = last_number('invoices');
for ($customer = 0; $customer < 80; $customer++) {
    $number++;
    $amount = 990 + $customer * 137 % 4000;
    $f = fopen("invoices/R$number.txt", 'x');
    fwrite($f, sprintf("Invoice %d\ncustomer %d\namount %.2f\n", $number, $customer, $amount / 100));
    fclose($f);
}
echo "last invoice R$number\n";
