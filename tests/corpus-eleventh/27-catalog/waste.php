<?php
// catalog: renders a product list with a small compiling template engine.

final class Engine
{
    /** @var array<string, Closure> */
    private array $compiled = [];
    public int $compiles = 0;

    public function __construct(private string $dir, private string $cache)
    {
        if (!is_dir($cache)) {
            mkdir($cache, 0755, true);
        }
    }

    private function stale(string $src, string $out): bool
    {
        clearstatcache();
        return !is_file($out) || filemtime($out) < filemtime($src);
    }

    private function compile(string $name): Closure
    {
        $src = "{$this->dir}/$name.tpl";
        $out = "{$this->cache}/$name.php";
        if ($this->stale($src, $out)) {
            $body = preg_replace('/\{\{\s*(\w+)\s*\}\}/', "' . htmlspecialchars((string) \$v['$1']) . '", file_get_contents($src));
            file_put_contents($out, "<?php return static fn(array \$v): string => '$body';\n");
            unset($this->compiled[$name]);
            $this->compiles++;
        }
        return $this->compiled[$name] ??= require $out;
    }

    public function render(string $name, array $vars): string
    {
        return $this->compile($name)($vars);
    }
}

/** @return iterable<array<string, string|int>> */
function products(int $n): iterable
{
    for ($i = 0; $i < $n; $i++) {
        yield ['id' => $i, 'name' => "Lamp <$i>", 'price' => sprintf('%.2f', 3 + $i * 1.1)];
    }
}

$engine = new Engine('tpl', 'tplcache');
$html = $engine->render('head', ['title' => 'Catalog']);
foreach (products(400) as $p) {
    $html .= $engine->render('row', $p);
}
file_put_contents('catalog.html', $html);
printf("%d bytes, md5 %s\n", strlen($html), md5($html));
