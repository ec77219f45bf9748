/* It goes to the end to write there, and back to read what is at the beginning. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	char bytes[600];
	long total = 0;
	memset(bytes, 'x', sizeof bytes);
	for (int number = 1; number <= 20; number++) {
		char name[32];
		snprintf(name, sizeof name, "data/%d", number);
		int file = open(name, O_RDWR | O_CLOEXEC);
		if (lseek(file, 0, SEEK_END) < 0 || write(file, bytes, sizeof bytes) != sizeof bytes)
			return 1;
		if (lseek(file, 0, SEEK_SET) < 0)
			return 1;
		total += read(file, bytes, sizeof bytes);
		close(file);
	}
	printf("bytes %ld\n", total);
	return 0;
}
