<?php
// Builds the catalogue page of a ringtone shop: title, tempo, notes, checksum.

function readTone(string $path): ?array
{
    $fh = @fopen($path, 'rb');
    if ($fh === false) {
        return null;
    }
    $st = fstat($fh);
    $size = $st['size'];
    if (($st['mode'] & 0170000) !== 0100000 || $size < 24) {
        fclose($fh);
        return null;
    }
    $data = fread($fh, $size);
    fclose($fh);
    if (substr($data, 0, 4) !== 'RTX1') {
        return null;
    }
    return [
        'title' => trim(substr($data, 4, 16)),
        'tempo' => (int) substr($data, 20, 3),
        'notes' => $size - 24,
        'crc'   => sprintf('%08x', crc32($data)),
    ];
}

$tones = [];
for ($i = 1; $i <= 60; $i++) {
    $tone = readTone(sprintf('tones/tone-%02d.rtx', $i));
    if ($tone !== null) {
        $tones[] = $tone;
    }
}
usort($tones, fn($a, $b) => $b['notes'] <=> $a['notes']);
foreach (array_slice($tones, 0, 5) as $t) {
    printf("%-12s %3d bpm %5d notes %s\n", $t['title'], $t['tempo'], $t['notes'], $t['crc']);
}
printf("%d tones, %d notes\n", count($tones), array_sum(array_column($tones, 'notes')));
