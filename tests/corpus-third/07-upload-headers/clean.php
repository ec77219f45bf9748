<?php
// Checks what the uploader left in the spool: magic, size limits.

class Upload
{
    public int $size;
    public string $magic;

    public function __construct(string $path)
    {
        $f = fopen($path, 'rbe');
        if (!$f) {
            throw new RuntimeException("cannot open $path");
        }
        $this->size = fstat($f)['size'];
        $this->magic = fread($f, 8);
        fclose($f);
    }
}

$ok = 0;
$total = 0;
for ($i = 1; $i <= 60; $i++) {
    $u = new Upload(__DIR__ . "/spool/up$i.bin");
    if (str_starts_with($u->magic, 'MAGIC') && $u->size < 400) {
        $ok++;
        $total += $u->size;
    }
}
echo "$ok uploads accepted, $total bytes\n";
