printf "port = 80\nuser = www\n" > settings
