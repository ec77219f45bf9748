<?php
// purge: renders the hot pages into the page cache, then drops the cached
// pages of every product that changed.

final class PageCache
{
    public int $removed = 0;

    public function __construct(private string $dir)
    {
        if (!is_dir($dir)) {
            mkdir($dir, 0755, true);
        }
    }

    public function put(int $id, string $html): void
    {
        file_put_contents("{$this->dir}/product-$id.html", $html);
    }

    /** @param int[] $ids */
    public function purge(array $ids): void
    {
        $gone = array_flip($ids);
        foreach (scandir($this->dir) as $name) {
            if (preg_match('/^product-(\d+)\.(html|html\.gz|lock)$/', $name, $m) && isset($gone[$m[1]])) {
                unlink("{$this->dir}/$name");
                $this->removed++;
            }
        }
    }
}

function render(int $id): string
{
    return "<!doctype html><title>Product $id</title>\n" . str_repeat("<p>row $id</p>\n", 20);
}

/** @return int[] */
function changed(string $file): array
{
    $ids = [];
    foreach (file($file, FILE_IGNORE_NEW_LINES | FILE_SKIP_EMPTY_LINES) as $line) {
        [$id] = explode(',', $line);
        $ids[] = (int) $id;
    }
    return $ids;
}

$cache = new PageCache('pages');
for ($id = 0; $id < 400; $id += 20) {
    $cache->put($id, render($id));
}
$ids = changed('changed.csv');
$cache->purge($ids);
printf("%d products changed, %d cached pages dropped\n", count($ids), $cache->removed);
