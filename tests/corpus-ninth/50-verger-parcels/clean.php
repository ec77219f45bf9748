<?php
// Packs the parish's letters into one parcel: head, name, length, text, sum.

class Parcel
{
    private string $body = '';
    private int $pieces = 0;
    private int $left = 0;

    public function add(string $path): void
    {
        $in = fopen($path, 'rb');
        if ($in === false) {
            exit("cannot open $path\n");
        }
        stream_set_read_buffer($in, 0);
        $size = fstat($in)['size'];
        if ($size > 3000) {
            $this->left++;
            fclose($in);
            return;
        }
        $head = pack('a16V', basename($path), $size);
        $text = fread($in, $size);
        fclose($in);
        $this->body .= $head . $text . pack('V', crc32($text));
        $this->pieces++;
    }

    public function write(string $path): string
    {
        $all = 'PRCL' . pack('V', $this->pieces) . $this->body;
        file_put_contents($path, $all);
        return sprintf("%d letters, %d bytes, %d too long", $this->pieces, strlen($all), $this->left);
    }
}

$parcel = new Parcel();
$names = file('outgoing.txt', FILE_IGNORE_NEW_LINES);
sort($names);
foreach ($names as $name) {
    $parcel->add("letters/$name");
}
echo $parcel->write('parcel.bin'), "\n";
