<?php
// Plans the beds of a hospital ward by ward and shows in `ps` and `top` where it is.

/** The kernel takes the new name of the process with each write; there is nothing to collect. */
function showStage(string $stage): void
{
    file_put_contents('/proc/self/comm', substr($stage, 0, 15));
}

$beds = [];
foreach (file('beds.csv', FILE_IGNORE_NEW_LINES) as $line) {
    [$ward, $bed, $age] = explode(';', $line);
    $beds[$ward][] = ['bed' => (int) $bed, 'age' => (int) $age];
}
ksort($beds);

$plan = [];
$names = [];
foreach ($beds as $ward => $list) {
    foreach (['sort', 'match', 'check', 'price', 'print'] as $step) {
        showStage("$ward:$step");
        $names[] = rtrim(file_get_contents('/proc/self/comm'));
        switch ($step) {
            case 'sort':
                usort($list, fn($a, $b) => $a['age'] <=> $b['age'] ?: $a['bed'] <=> $b['bed']);
                break;
            case 'match':
                $plan[$ward] = array_column($list, 'bed');
                break;
            case 'check':
                assert(count(array_unique($plan[$ward])) === count($plan[$ward]));
                break;
        }
    }
}

foreach ($plan as $ward => $order) {
    echo "$ward: ", implode(' ', array_slice($order, 0, 5)), "\n";
}
echo count($names), ' stages, the last shown as ', end($names), "\n";
