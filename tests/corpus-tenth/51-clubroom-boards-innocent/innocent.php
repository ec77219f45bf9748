<?php
// Boards in the clubroom of a rowing club: one folder for each crew, open to its whole group.
declare(strict_types=1);

umask(022);

function shared_folder(string $path): void
{
    if (!mkdir($path, 0775) || !chmod($path, 0775)) {
        throw new RuntimeException("cannot make $path");
    }
}

function shared_file(string $path, string $text): void
{
    if (file_put_contents($path, $text) !== strlen($text) || !chmod($path, 0664)) {
        throw new RuntimeException("cannot write $path");
    }
}

function board(string $crew, int $seats, string $boat): string
{
    $text = "$crew rows $boat\n";
    for ($seat = 1; $seat <= $seats; $seat++) {
        $text .= sprintf("seat %d: %s\n", $seat, str_repeat('.', 20));
    }
    return $text;
}

shared_folder('boards');
$crews = 0;
$seats = 0;
$boats = [];
foreach (file('crews.csv', FILE_IGNORE_NEW_LINES) as $row) {
    [$crew, $n, $boat] = explode(';', $row);
    shared_folder("boards/$crew");
    shared_file("boards/$crew/board.txt", board($crew, (int) $n, $boat));
    $crews++;
    $seats += (int) $n;
    $boats[$boat] = true;
}

clearstatcache();
printf("%d boards for %d seats in %d boats\n", $crews, $seats, count($boats));
printf("folders %o, boards %o\n", fileperms('boards/crew10') & 0777, fileperms('boards/crew10/board.txt') & 0777);
