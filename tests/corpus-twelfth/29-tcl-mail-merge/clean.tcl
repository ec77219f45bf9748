#!/usr/bin/env tclsh
# Mail merge: one letter per member, in the member's language, into one mailbox file.

set here [file dirname [file normalize [info script]]]

proc slurp {path} {
    set f [open $path r]
    set text [read $f]
    close $f
    return $text
}

# the letter for a language; English where there is none
proc letter_text {lang} {
    global here letters
    if {[info exists letters($lang)]} {
        return $letters($lang)
    }
    set path [file join $here letter.$lang]
    if {$lang ni {en de}} {
        set path [file join $here letter.en]
    }
    return [set letters($lang) [slurp $path]]
}

proc fill {text member} {
    lassign $member name mail lang fee
    return [string map [list @NAME@ $name @MAIL@ $mail @FEE@ $fee] $text]
}

proc read_members {path} {
    set members {}
    foreach line [split [string trim [slurp $path]] "\n"] {
        set member [split $line "|"]
        if {[llength $member] != 4} {
            puts stderr "bad line: $line"
            continue
        }
        lappend members $member
    }
    return $members
}

file mkdir [file join $here out]
set box [open [file join $here out letters.mbox] w]
set count 0
set bytes 0
foreach member [read_members [file join $here members.txt]] {
    set letter [fill [letter_text [lindex $member 2]] $member]
    puts $box "From office@example.org Mon Jan  1 00:00:00 2024"
    puts $box $letter
    incr count
    incr bytes [string length $letter]
    incr per_language([lindex $member 2])
}
close $box

foreach lang [lsort [array names per_language]] {
    puts "$lang: $per_language($lang)"
}
puts "$count letters, $bytes bytes"
