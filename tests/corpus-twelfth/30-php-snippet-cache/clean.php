<?php
// Renders a product catalogue and an ETag for each row.
declare(strict_types=1);

final class RowRenderer
{
    private string $template;

    public function __construct(string $templateFile)
    {
        $this->template = file_get_contents($templateFile);
    }

    public function render(array $product): string
    {
        $pairs = [];
        foreach ($product as $key => $value) {
            $pairs['{' . $key . '}'] = htmlspecialchars((string) $value);
        }
        return strtr($this->template, $pairs);
    }

    public function etag(string $html): string
    {
        return substr(md5($html), 0, 12);
    }
}

function loadProducts(string $file): array
{
    $products = json_decode(file_get_contents($file), true, 16, JSON_THROW_ON_ERROR);
    usort($products, fn($a, $b) => [$a['price'], $a['id']] <=> [$b['price'], $b['id']]);
    return $products;
}

function main(string $here): void
{
    if (!is_dir("$here/out")) {
        mkdir("$here/out");
    }
    $renderer = new RowRenderer("$here/row.tmpl");
    $rows = [];
    $etags = [];
    $available = 0;
    foreach (loadProducts("$here/products.json") as $product) {
        $html = $renderer->render($product);
        $rows[] = $html;
        $etags[$product['id']] = $renderer->etag($html);
        $available += $product['stock'] > 0 ? 1 : 0;
    }
    ksort($etags);
    file_put_contents("$here/out/catalog.html", "<table>\n" . implode('', $rows) . "</table>\n");
    file_put_contents("$here/out/etags.json", json_encode($etags, JSON_PRETTY_PRINT) . "\n");
    printf("%d rows, %d available, page %s\n", count($rows), $available, md5_file("$here/out/catalog.html"));
}

main(__DIR__);
