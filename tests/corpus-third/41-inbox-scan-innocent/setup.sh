mkdir inbox seen
echo 'mail 0' > inbox/m0
