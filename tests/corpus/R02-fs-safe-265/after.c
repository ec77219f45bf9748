/* Opening it was the question. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	int directories = 0;
	for (int number = 1; number <= 80; number++) {
		char name[32];
		snprintf(name, sizeof name, "tree/%d", number);
		int directory = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (directory < 0)
			return 1;
		directories++;
		close(directory);
	}
	printf("directories %d\n", directories);
	return 0;
}
