<?php
// Sorts rows with the system's sort, which handles more than memory.

class ExternalSort
{
    private string $tmp;

    public function __construct()
    {
        $this->tmp = tempnam('/tmp', 'sortkeys');
        if ($this->tmp === false) {
            throw new RuntimeException('no temporary file');
        }
    }

    public function __destruct()
    {
        unlink($this->tmp);
    }

    public function sort(string $in): array
    {
        exec(sprintf('LC_ALL=C sort -n -o %s %s', escapeshellarg($this->tmp), escapeshellarg($in)), $o, $rc);
        if ($rc !== 0) {
            throw new RuntimeException("sort: $rc");
        }
        return file($this->tmp, FILE_IGNORE_NEW_LINES);
    }
}

$s = new ExternalSort();
$rows = $s->sort('rows.txt');
echo count($rows), ' rows, first ', $rows[0], ', last ', end($rows), "\n";
