"""Hands thirty jobs to a worker, which reads the file that holds the job each time there is a new one."""
import os

ready, tell_ready = os.pipe()
done, tell_done = os.pipe()
worker = os.fork()
for number in range(30):
    if worker == 0:
        os.read(ready, 1)
        job = os.open("job", os.O_RDONLY)
        os.read(job, 100)
        os.close(job)
        os.write(tell_done, b".")
    else:
        new = os.open("job.new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        os.write(new, b"job %d\n" % number)
        os.close(new)
        os.replace("job.new", "job")
        os.write(tell_ready, b".")
        os.read(done, 1)
if worker == 0:
    os._exit(0)
os.waitpid(worker, 0)
print("30 jobs")
