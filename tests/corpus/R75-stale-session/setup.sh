touch session
