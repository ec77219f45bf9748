/* As often, but each time what somebody else wrote under the lock. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

static char header[65536];

int main(void)
{
	long total = 0;
	int file = open("table", O_RDONLY | O_CLOEXEC);
	for (int record = 0; record < 20; record++) {
		flock(file, LOCK_SH);
		total += pread(file, header, sizeof header, 0) + record;
		flock(file, LOCK_UN);
	}
	close(file);
	printf("sum %ld\n", total);
	return 0;
}
