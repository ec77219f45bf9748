printf "one\ntwo\nthree\n" > list
