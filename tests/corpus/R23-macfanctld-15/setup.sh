echo 41000 > sensor0
echo 42000 > sensor1
echo 43000 > sensor2
echo 44000 > sensor3
printf '%01024d' 7 > history
