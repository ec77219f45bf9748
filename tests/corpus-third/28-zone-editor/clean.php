<?php
// Adds records to a zone file and raises its serial number.

class Zone
{
    private string $text;

    public function __construct(private string $file)
    {
        $this->text = file_get_contents($file);
    }

    public function add(string $name, string $type, string $value): void
    {
        $this->text .= "$name IN $type $value\n";
    }

    public function save(): void
    {
        $this->text = preg_replace_callback('/\b(20\d{8})\b/', fn($m) => (string) ($m[1] + 1), $this->text, 1);
        $tmp = $this->file . '.new';
        $f = fopen($tmp, 'xe');
        if (!$f || fwrite($f, $this->text) !== strlen($this->text) || !fsync($f) || !fclose($f)) {
            throw new RuntimeException("cannot write $tmp");
        }
        rename($tmp, $this->file);
        $d = fopen(dirname($this->file), 're');
        if ($d) {
            fsync($d);
        }
    }
}

$z = new Zone('zones/example.org.zone');
$z->add('mail', 'A', '192.0.2.7');
$z->save();
$z->add('@', 'MX', '10 mail');
$z->save();
$text = file_get_contents('zones/example.org.zone');
preg_match('/20\d{8}/', $text, $m);
echo substr_count($text, "\n"), " lines, serial $m[0]\n";
