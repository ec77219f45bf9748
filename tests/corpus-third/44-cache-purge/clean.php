<?php
// Purges the pages whose articles changed.

class PageCache
{
    public int $purged = 0;

    public function __construct(private string $dir)
    {
    }

    public function purge(int $id): void
    {
        $file = "{$this->dir}/p$id.html";
        if (@unlink($file)) {
            $this->purged++;
        }
    }
}

$changed = range(1, 80);
$c = new PageCache('cache');
foreach ($changed as $id) {
    $c->purge($id);
}
echo "$c->purged of ", count($changed), " purged, ", count(scandir('cache')) - 2, " left\n";
