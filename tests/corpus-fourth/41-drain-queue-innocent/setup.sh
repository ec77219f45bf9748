mkdir jobs
echo 5 > jobs/a; echo 3 > jobs/b
