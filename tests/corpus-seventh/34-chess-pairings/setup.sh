cat > players.txt <<'END'
Abel 1820
Brand 1755
Cole 1910
Dorn 1640
Ebert 1777
Frost 1898
Gant 1702
Hale 1850
END
