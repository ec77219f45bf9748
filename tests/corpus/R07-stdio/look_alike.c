/* The last block is read for its own sake: an index at the end says what the file holds. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
	long total = 0;
	for (int number = 1; number <= 20; number++) {
		char name[32], bytes[4096];
		struct stat facts;
		snprintf(name, sizeof name, "data/%d", number);
		int file = open(name, O_RDONLY | O_CLOEXEC);
		if (file < 0 || fstat(file, &facts) != 0)
			return 1;
		if (lseek(file, facts.st_size / 4096 * 4096, SEEK_SET) < 0)
			return 1;
		total += read(file, bytes, sizeof bytes);
		if (lseek(file, 0, SEEK_SET) != 0)
			return 1;
		total += read(file, bytes, sizeof bytes);
		close(file);
	}
	printf("bytes %ld\n", total);
	return 0;
}
