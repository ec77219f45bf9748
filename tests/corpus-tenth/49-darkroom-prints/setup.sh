rm -rf prints negatives; mkdir prints negatives
echo "harbour at dawn" > negatives/a.neg
echo "market women" > negatives/b.neg
echo "tram in the snow" > negatives/c.neg
