// The number of the system call syncfs on 32-bit ARM.

package main

const syscallSyncfs = 373
