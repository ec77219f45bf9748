rm -rf post; mkdir post
echo "0 4" > post/a
echo "0 3" > post/b
