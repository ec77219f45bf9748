<?php
// Counts which episodes the fan mail in the inbox speaks of.

const INBOX = 'inbox';

function letters(): array
{
    $names = [];
    foreach (scandir(INBOX) as $name) {
        if (str_ends_with($name, '.eml')) {
            $names[] = $name;
        }
    }
    sort($names, SORT_NATURAL);
    return $names;
}

function read_letter(string $name): ?array
{
    $path = INBOX . '/' . $name;
    if (!file_exists($path)) {
        return null;
    }
    $text = file_get_contents($path);
    [$head, $body] = explode("\n\n", $text, 2);
    $letter = ['body' => trim($body)];
    foreach (explode("\n", $head) as $line) {
        [$key, $value] = explode(': ', $line, 2);
        $letter[strtolower($key)] = $value;
    }
    return $letter;
}

$fans = [];
$episodes = [];
$lost = 0;
foreach (letters() as $name) {
    $letter = read_letter($name);
    if ($letter === null) {
        $lost++;
        continue;
    }
    $fans[$letter['from']] = true;
    if (preg_match('/episode (\d+)/', $letter['body'], $m)) {
        $episodes[(int)$m[1]] = ($episodes[(int)$m[1]] ?? 0) + 1;
    }
}
ksort($episodes);
foreach ($episodes as $no => $n) {
    echo "episode $no: $n letters\n";
}
echo count($fans), " fans, $lost lost\n";
