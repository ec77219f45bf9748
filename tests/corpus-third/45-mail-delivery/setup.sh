mkdir -p Maildir/tmp Maildir/new Maildir/cur
