/* It goes to the end and back, which no position that it has makes needless. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	long total = 0;
	for (int number = 1; number <= 20; number++) {
		char name[32], bytes[64];
		snprintf(name, sizeof name, "data/%d", number);
		int file = open(name, O_RDONLY | O_CLOEXEC);
		total += lseek(file, 0, SEEK_END);
		if (lseek(file, 0, SEEK_SET) != 0)
			return 1;
		total += read(file, bytes, sizeof bytes);
		close(file);
	}
	printf("bytes %ld\n", total);
	return 0;
}
