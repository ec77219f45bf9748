<?php
// Sets the minutes of the meeting from the stenographer's lines.

class Minutes
{
    private $out;
    private string $text = '';
    public int $lines = 0;

    public function __construct(string $path)
    {
        $this->out = fopen($path, 'w');
    }

    private function strong(string $text): string
    {
        return stream_isatty($this->out) ? "\033[1m$text\033[0m" : "*$text*";
    }

    private function quiet(string $text): string
    {
        return stream_isatty($this->out) ? "\033[2m$text\033[0m" : "  $text";
    }

    public function add(string $kind, string $text): void
    {
        $line = $kind === 'note' ? $this->quiet($text) : $this->strong($text);
        $this->text .= $line . "\n";
        $this->lines++;
    }

    public function close(): void
    {
        fwrite($this->out, $this->text);
        fclose($this->out);
    }
}

$minutes = new Minutes('minutes.txt');
$count = ['item' => 0, 'vote' => 0, 'note' => 0];
$spoken = [];
foreach (file('transcript.txt', FILE_IGNORE_NEW_LINES) as $line) {
    [$kind, $text] = explode(' ', $line, 2);
    $count[$kind]++;
    if (preg_match('/^(\S+) speaks .* for (\d+) minutes$/', $text, $m)) {
        $spoken[$m[1]] = ($spoken[$m[1]] ?? 0) + (int) $m[2];
    }
    $minutes->add($kind, $text);
}
$minutes->close();
arsort($spoken);
printf("%d lines: %d items, %d votes, %d notes\n", $minutes->lines, $count['item'], $count['vote'], $count['note']);
printf("longest heard: %s, %d minutes\n", array_key_first($spoken), reset($spoken));
