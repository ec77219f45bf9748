printf '{"12A":"Hale","12B":"Mercer","14C":"Osei","15A":"Wren"}' > plots.json
printf 'sell 16A Bray\nsell 12B Tull\nsell 16B Finch\nreturn 14C\nsell 14C Amadi\nsell 17A Kerr\nsell 17B Kerr\nreturn 99Z\nreturn 15A\n' > desk.txt
