/* All records in one write, which waits once. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	char records[64 * 128];
	memset(records, 'x', sizeof records);
	int file = open("table", O_WRONLY | O_CREAT | O_TRUNC | O_DSYNC | O_CLOEXEC, 0644);
	if (write(file, records, sizeof records) != sizeof records)
		return 1;
	close(file);
	printf("records 64\n");
	return 0;
}
