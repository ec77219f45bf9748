rm -f survey.raw
i=0
while [ $i -lt 20 ]; do
  printf "%04096d" $((i * 977)) | dd of=survey.raw bs=4096 seek=$((i * 200 + 3)) conv=notrunc 2> /dev/null
  i=$((i + 1))
done
truncate -s 16M survey.raw
