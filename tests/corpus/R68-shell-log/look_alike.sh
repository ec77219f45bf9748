# A few lines, each where it belongs.
echo "begun" >> log
echo "at work" >> log
echo "done" >> log
wc -c < log
