<?php
// Prints the playbills of a season; the draft of each play is dropped once its bill is out.
declare(strict_types=1);

function bill(string $title, int $acts, int $hour): string
{
    $line = str_repeat('=', 32);
    return implode("\n", [
        $line,
        str_pad(strtoupper($title), 32, ' ', STR_PAD_BOTH),
        str_pad("in $acts acts, at $hour o'clock", 32, ' ', STR_PAD_BOTH),
        $line,
        '',
    ]);
}

function drop_draft(string $title): bool
{
    $draft = "drafts/$title.txt";
    return @unlink($draft);
}

$bills = '';
$count = 0;
$dropped = 0;
$late = 0;
$season = file('season.txt', FILE_IGNORE_NEW_LINES);
foreach ($season as $row) {
    [$title, $acts, $hour] = explode('|', $row);
    $bills .= bill($title, (int) $acts, (int) $hour);
    $count++;
    if ((int) $hour >= 20) {
        $late++;
    }
}
if (file_put_contents('bills.txt', $bills) !== strlen($bills)) {
    exit(1);
}
foreach ($season as $row) {
    if (drop_draft(strstr($row, '|', true))) {
        $dropped++;
    }
}

echo "$count playbills, $late of them late\n";
echo "$dropped drafts dropped\n";
