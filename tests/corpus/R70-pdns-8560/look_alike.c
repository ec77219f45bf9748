/* Most copies are closed; those of the last passes are left to the end of the process. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	long total = 0;
	int file = open("words", O_RDONLY | O_CLOEXEC);
	for (int pass = 0; pass < 100; pass++) {
		char bytes[64];
		int copy = fcntl(file, F_DUPFD_CLOEXEC, 0);
		total += pread(copy, bytes, sizeof bytes, pass % 20);
		if (pass < 80)
			close(copy);
	}
	close(file);
	printf("bytes %ld\n", total);
	return 0;
}
