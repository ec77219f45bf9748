<?php
// Renders the table of contents of a language course with the media of each lesson.

const KINDS = [
    'webm' => 'video',
    'mp4'  => 'video',
    'ogg'  => 'audio',
    'mp3'  => 'audio',
    'pdf'  => 'sheet',
];

function mediaFor(int $lesson): ?array
{
    static $names = null;
    $names ??= array_flip(scandir('media'));
    $base = sprintf('lesson-%02d', $lesson);
    foreach (KINDS as $ext => $kind) {
        if (isset($names["$base.$ext"])) {
            return ['href' => "media/$base.$ext", 'kind' => $kind];
        }
    }
    return null;
}

$html = "<ol>\n";
$count = ['video' => 0, 'audio' => 0, 'sheet' => 0];
$none = [];
for ($lesson = 1; $lesson <= 42; $lesson++) {
    $media = mediaFor($lesson);
    if ($media === null) {
        $none[] = $lesson;
        $html .= "<li>Lesson $lesson</li>\n";
        continue;
    }
    $count[$media['kind']]++;
    $html .= sprintf("<li class=\"%s\"><a href=\"%s\">Lesson %d</a></li>\n",
        $media['kind'], $media['href'], $lesson);
}
$html .= "</ol>\n";

foreach ($count as $kind => $n) {
    echo "$kind: $n\n";
}
echo 'without media: ', implode(', ', $none), "\n";
echo strlen($html), ' bytes of HTML, crc ', sprintf('%08x', crc32($html)), "\n";
