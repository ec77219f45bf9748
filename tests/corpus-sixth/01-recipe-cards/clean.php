<?php
// Builds the kitchen's weekly overview from the recipe cards.

function read_card(string $path): string
{
    $fp = fopen($path, 'rb');
    if ($fp === false) {
        fwrite(STDERR, "cannot open $path\n");
        exit(1);
    }
    $len = fstat($fp)['size'];
    if ($len === 0) {
        fclose($fp);
        return '';
    }
    $text = fread($fp, $len);
    fclose($fp);
    return $text;
}

function parse_card(string $text): array
{
    $card = [];
    foreach (explode("\n", trim($text)) as $line) {
        [$key, $value] = explode(':', $line, 2);
        $card[trim($key)] = trim($value);
    }
    return $card;
}

$byServes = [];
$minutes = 0;
$flour = 0;
$butter = 0;
for ($n = 1; $n <= 64; $n++) {
    $card = parse_card(read_card("cards/$n.rcp"));
    $byServes[(int)$card['serves']][] = $card['title'];
    $minutes += (int)$card['minutes'];
    $flour += (int)$card['flour'];
    $butter += (int)$card['butter'];
}
ksort($byServes);
foreach ($byServes as $serves => $titles) {
    printf("for %d: %d dishes, first %s\n", $serves, count($titles), $titles[0]);
}
printf("total %d min, flour %d g, butter %d g\n", $minutes, $flour, $butter);
