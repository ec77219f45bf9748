<?php
declare(strict_types=1);

function page(string $title, string $text): string
{
    return "<html><head><title>$title</title></head>\n"
        . "<body><h1>$title</h1><p>$text</p></body></html>\n";
}

function publish(int $number, string $html): string
{
    $draft = tempnam('issues', 'draft');
    if ($draft === false) {
        throw new RuntimeException('no draft');
    }
    if (file_put_contents($draft, $html) !== strlen($html)) {
        unlink($draft);
        throw new RuntimeException('draft not written');
    }
    chmod($draft, 0644);
    $name = sprintf('issues/issue-%02d.html', $number);
    rename($draft, $name);
    return $name;
}

$beds = 0;
$bytes = 0;
$last = '';
foreach (file('articles.txt', FILE_IGNORE_NEW_LINES) as $line) {
    [$number, $title, $text] = explode(';', $line);
    $html = page($title, $text);
    $last = publish((int) $number, $html);
    $bytes += strlen($html);
    $beds += (int) $text;
}
printf("20 issues, %d bytes, %d beds dug\n", $bytes, $beds);
printf("last is %s, readable for all: %s\n", $last, (fileperms($last) & 0044) === 0044 ? 'yes' : 'no');
