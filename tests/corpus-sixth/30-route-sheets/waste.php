<?php
// Makes the drivers' route sheets of the day; the depot keeps a copy of every line.

function load_stops(string $path): array
{
    $byDriver = [];
    foreach (file($path, FILE_IGNORE_NEW_LINES) as $line) {
        [$driver, $stop, $load] = explode(';', $line);
        $byDriver[(int) $driver][] = [$stop, $load];
    }
    ksort($byDriver);
    return $byDriver;
}

function sheet(int $driver, array $stops): string
{
    $text = sprintf("Driver %02d\n", $driver);
    foreach ($stops as $nr => [$stop, $load]) {
        $text .= sprintf("%3d. %-10s %s\n", $nr + 1, $stop, $load);
    }
    return $text;
}

$stops = load_stops('stops.csv');
$copy = fopen('depot/copy.csv', 'w');
$lines = 0;
@mkdir('sheets');
foreach ($stops as $driver => $list) {
    if (file_put_contents("sheets/driver-$driver.txt", sheet($driver, $list)) === false) {
        fwrite(STDERR, "cannot write the sheet of driver $driver\n");
        exit(1);
    }
    $rows = '';
    foreach ($list as [$stop, $load]) {
        $rows .= "$driver;$stop;$load\n";
        $lines++;
    }
    @fwrite($copy, $rows);
}
fclose($copy);
printf("%d sheets, %d stops\n", count($stops), $lines);
printf("copy kept at the depot\n");
