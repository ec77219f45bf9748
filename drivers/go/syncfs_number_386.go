// The number of the system call syncfs on 32-bit x86.

package main

const syscallSyncfs = 344
