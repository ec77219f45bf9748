#!/usr/bin/env tclsh
# Publishes a package list under a lock file. Another process holds the lock at first
# (a mirror run of about one second), so the attempts to create it really fail until then.

set here [file dirname [file normalize [info script]]]
set out [file join $here out]
set lock [file join $out repo.lock]

proc try_lock {path} {
    try {
        set f [open $path {WRONLY CREAT EXCL}]
    } trap {POSIX EEXIST} {} {
        return 0
    }
    puts $f [pid]
    close $f
    return 1
}

proc with_lock {path wait_ms body} {
    set attempts 1
    while {![try_lock $path]} {
        if {$attempts * $wait_ms > 8000} {
            error "lock $path not free"
        }
        incr attempts
        after $wait_ms
    }
    try {
        uplevel 1 $body
    } finally {
        file delete $path
    }
    return $attempts
}

proc publish {out packages} {
    set f [open [file join $out list.new] w]
    foreach p [lsort $packages] {
        puts $f "package $p"
    }
    close $f
    file rename -force [file join $out list.new] [file join $out list]
}

file mkdir $out
set f [open $lock w]
puts $f mirror
close $f
exec sh -c {sleep 1; rm -f "$1"} mirror $lock &

set attempts [with_lock $lock 4 {
    publish $out {zlib bash curl make perl}
}]
set waited [expr {$attempts > 20 ? "had to wait" : "no waiting"}]
puts "published, $waited"
