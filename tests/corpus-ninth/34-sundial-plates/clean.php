<?php
// Cuts the hour lines of sundials for a list of places.

function hourLine(float $latitude, int $hour): float
{
    $angle = deg2rad(15.0 * ($hour - 12));
    return rad2deg(atan(sin(deg2rad($latitude)) * tan($angle)));
}

function scratchName(): string
{
    return tempnam('/tmp/ninth-b', 'sundial-');
}

function draw(string $place, float $latitude): string
{
    $path = scratchName();
    $svg = "<svg viewBox='-100 -100 200 200'>\n";
    for ($hour = 7; $hour <= 17; $hour++) {
        $a = deg2rad(hourLine($latitude, $hour));
        $svg .= sprintf("<line x2='%.2f' y2='%.2f'/>\n", 90 * sin($a), -90 * cos($a));
    }
    $out = fopen($path, 'w');
    fwrite($out, $svg . "<text>$place</text>\n</svg>\n");
    fclose($out);
    return $path;
}

@mkdir('plates');
$plates = 0;
$bytes = 0;
foreach (file('places.txt', FILE_IGNORE_NEW_LINES) as $line) {
    [$place, $latitude] = explode(' ', $line);
    $scratch = draw($place, (float) $latitude);
    $svg = file_get_contents($scratch);
    unlink($scratch);
    $plate = str_replace('<line ', "<line stroke='black' ", $svg);
    file_put_contents("plates/$place.svg", $plate);
    $plates++;
    $bytes += strlen($plate);
}
echo "$plates plates, $bytes bytes of drawing\n";
printf("noon line in Wells at %.1f degrees\n", hourLine(51.2, 12));
