/* The file is written while it is read: whether there is more, only a read can tell. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
	long total = 0;
	for (int number = 1; number <= 20; number++) {
		char name[32], bytes[64];
		struct stat facts;
		long got = 0, count;
		snprintf(name, sizeof name, "data/%d", number);
		int file = open(name, O_RDONLY | O_CLOEXEC);
		int writer = open(name, O_WRONLY | O_CLOEXEC);
		if (fstat(file, &facts) != 0 || pwrite(writer, "S", 1, 0) != 1)
			return 1;
		while ((count = read(file, bytes + got, facts.st_size - got + 1)) > 0)
			got += count;
		total += got;
		close(writer);
		close(file);
	}
	printf("bytes %ld\n", total);
	return 0;
}
