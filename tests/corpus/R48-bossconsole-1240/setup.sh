echo theme=dark > settings
