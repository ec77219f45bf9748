mkdir app
