<?php

require __DIR__ . "/lib.php";

class Store
{
    public function look($path)
    {
        for ($i = 0; $i < 12; $i++) {
            file_exists($path); // METHOD
        }
    }
}

function look($path)
{
    for ($i = 0; $i < 12; $i++) {
        file_exists($path); // FUNCTION
    }
}

look("function");
(new Store)->look("method");
included("included");
array_map(function ($path) {
    for ($i = 0; $i < 12; $i++) {
        file_exists($path); // CLOSURE
    }
}, ["closure"]);
for ($i = 0; $i < 12; $i++) {
    id(
        1,
        file_exists("lines") // LINES
    );
}
if (function_exists("pcntl_fork")) {
    $child = pcntl_fork();
    if ($child == 0) {
        for ($i = 0; $i < 12; $i++) {
            file_exists("child"); // CHILD
        }
        exit(0);
    }
    pcntl_waitpid($child, $status);
}
