/* A log that answers after each record: the record has to be there by then. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	char record[128];
	int ends[2];
	memset(record, 'x', sizeof record);
	if (pipe2(ends, O_CLOEXEC) != 0)
		return 1;
	int file = open("table", O_WRONLY | O_CREAT | O_TRUNC | O_DSYNC | O_CLOEXEC, 0644);
	for (int number = 0; number < 64; number++) {
		if (write(file, record, sizeof record) != sizeof record)
			return 1;
		if (write(ends[1], "done", 4) != 4)
			return 1;
	}
	close(file);
	printf("records 64\n");
	return 0;
}
