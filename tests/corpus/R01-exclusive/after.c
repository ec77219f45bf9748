/* There is nothing to ask. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	int made = 0;
	for (int number = 0; number < 20; number++) {
		char name[32];
		snprintf(name, sizeof name, "out%d", number);
		int file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
		if (file < 0)
			return 1;
		made += write(file, "some words that are no line's end and more than a few of them, since tiny writes "
				    "are another matter\n", 100) == 100;
		close(file);
	}
	printf("made %d\n", made);
	return 0;
}
