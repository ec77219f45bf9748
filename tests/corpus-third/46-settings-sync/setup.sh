mkdir cfg
printf 'theme = "dark"\nfont = 11\n' > cfg/prefs.toml
