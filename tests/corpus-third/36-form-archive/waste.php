<?php
// Archives old form posts as csv.

class Archive
{
    public int $rows = 0;

    public function __construct(private string $file)
    {
    }

    public function add(array $fields): void
    {
        $row = implode(',', array_map(fn($v) => '"' . str_replace('"', '""', $v) . '"', $fields)) . "\n";
        file_put_contents($this->file, $row, FILE_APPEND);
        $this->rows++;
    }

    public function close(): void
    {
        chmod($this->file, 0440);
    }
}

$a = new Archive('archive/forms.csv');
foreach (file('posts.txt', FILE_IGNORE_NEW_LINES) as $post) {
    parse_str($post, $fields);
    if ($fields['age'] >= 18) {
        $a->add($fields);
    }
}
$a->close();
echo "$a->rows rows, ", filesize('archive/forms.csv'), " bytes\n";
