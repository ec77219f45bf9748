<?php
// Writes the page of a plant nursery with one figure for each plant.

function photo_for(int $plant): ?string
{
    foreach (['webp', 'png', 'jpg', 'gif'] as $ext) {
        $file = "photos/p$plant.$ext";
        if (is_file($file)) {
            return $file;
        }
    }
    return null;
}

function figure(int $plant, ?string $file): string
{
    if ($file === null) {
        return "<p class=\"nophoto\">Plant $plant</p>\n";
    }
    $alt = htmlspecialchars("Plant $plant");
    return "<figure><img src=\"$file\" alt=\"$alt\"><figcaption>$alt</figcaption></figure>\n";
}

$html = "<!doctype html>\n<title>Nursery</title>\n";
$kinds = [];
$without = 0;
for ($plant = 1; $plant <= 75; $plant++) {
    $file = photo_for($plant);
    if ($file === null) {
        $without++;
    } else {
        $ext = pathinfo($file, PATHINFO_EXTENSION);
        $kinds[$ext] = ($kinds[$ext] ?? 0) + 1;
    }
    $html .= figure($plant, $file);
}
file_put_contents('nursery.html', $html);

ksort($kinds);
foreach ($kinds as $ext => $n) {
    echo "$ext: $n\n";
}
echo "without a photo: $without\n";
echo strlen($html), " bytes of page\n";
