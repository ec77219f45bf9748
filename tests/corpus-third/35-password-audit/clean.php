<?php
// Finds weak passwords; the score comes from an external program.

class Audit
{
    private $in;
    private $out;
    public int $weak = 0;

    public function __construct(string $in, string $out)
    {
        $this->in = fopen($in, 're');
        $this->out = fopen($out, 'we');
        if (!$this->in || !$this->out) {
            throw new RuntimeException('cannot open files');
        }
    }

    private function score(string $pw): int
    {
        return (int) shell_exec('expr length ' . escapeshellarg($pw) . ' - ' . (ctype_alnum($pw) ? 3 : 0));
    }

    public function run(): void
    {
        while (($line = fgets($this->in)) !== false) {
            [$user, $pw] = explode(':', rtrim($line), 2);
            if ($this->score($pw) < 5) {
                fwrite($this->out, "$user\n");
                $this->weak++;
            }
        }
        fclose($this->in);
        fclose($this->out);
    }
}

$a = new Audit('shadow.copy', 'weak.txt');
$a->run();
echo "$a->weak weak\n";
