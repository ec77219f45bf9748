// The number of the system call syncfs on x86-64.

package main

const syscallSyncfs = 306
