/* Each write waits until its record is on the device. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	char record[128];
	memset(record, 'x', sizeof record);
	int file = open("table", O_WRONLY | O_CREAT | O_TRUNC | O_DSYNC | O_CLOEXEC, 0644);
	for (int number = 0; number < 64; number++)
		if (write(file, record, sizeof record) != sizeof record)
			return 1;
	close(file);
	printf("records 64\n");
	return 0;
}
