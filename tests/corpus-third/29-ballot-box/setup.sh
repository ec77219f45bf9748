mkdir ballots
