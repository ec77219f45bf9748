<?php
// Puts the drawings of bellows together for the joiner: one folder for each kind.

function takeAlong(string $from, string $to): void
{
    if (!copy($from, $to)) {
        throw new RuntimeException("$from cannot be copied");
    }
}

$kinds = [];
foreach (file('list.txt', FILE_IGNORE_NEW_LINES) as $line) {
    [$name, $kind] = explode(' ', $line);
    $kinds[$kind][] = $name;
}
ksort($kinds);

$contents = [];
mkdir('parcel');
foreach ($kinds as $kind => $names) {
    mkdir("parcel/$kind");
    foreach ($names as $i => $name) {
        $sheet = sprintf('sheet%02d.plt', $i + 1);
        takeAlong("drawings/$name.plt", "parcel/$kind/$sheet");
        $contents[] = "$kind/$sheet  drawing $name";
    }
}
file_put_contents('parcel/contents.txt', implode("\n", $contents) . "\n");

foreach ($kinds as $kind => $names) {
    echo $kind, ': ', count($names), " sheets\n";
}
echo count($contents), " sheets in all\n";
