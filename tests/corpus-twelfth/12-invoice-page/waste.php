<?php
// Renders an invoice page from row and page views.
declare(strict_types=1);

final class Views
{
    private string $dir;
    /** @var array<string, array{mtime: int, text: string}> */
    private array $loaded = [];
    public int $loads = 0;

    public function __construct(string $dir)
    {
        $this->dir = $dir;
    }

    private function text(string $name): string
    {
        $path = $this->dir . '/' . $name . '.tpl';
        clearstatcache(true, $path);
        $mtime = filemtime($path);
        if (!isset($this->loaded[$name]) || $this->loaded[$name]['mtime'] !== $mtime) {
            $this->loaded[$name] = ['mtime' => $mtime, 'text' => file_get_contents($path)];
            $this->loads++;
        }
        return $this->loaded[$name]['text'];
    }

    /** @param array<string, string> $vars plain values; keys in $raw are not escaped */
    public function render(string $name, array $vars, array $raw = []): string
    {
        $map = [];
        foreach ($vars as $key => $value) {
            $safe = in_array($key, $raw, true) ? $value : htmlspecialchars($value);
            $map['{{' . $key . '}}'] = $safe;
        }
        return strtr($this->text($name), $map);
    }
}

function main(array $argv): int
{
    if (count($argv) !== 3) {
        fwrite(STDERR, "usage: render.php DATA OUT\n");
        return 2;
    }
    $items = json_decode(file_get_contents($argv[1]), true, 512, JSON_THROW_ON_ERROR);
    $views = new Views(__DIR__ . '/views');
    $rows = '';
    $total = 0;
    foreach ($items as $item) {
        $total += $item['amount'];
        $rows .= $views->render('row', array_map('strval', $item));
    }
    $page = $views->render(
        'page',
        ['title' => 'Invoice 2026-17', 'rows' => $rows, 'total' => (string) $total],
        ['rows']
    );
    file_put_contents($argv[2], $page);
    printf("%d rows, total %d, %s\n", count($items), $total, sha1($page));
    return 0;
}

exit(main($argv));
