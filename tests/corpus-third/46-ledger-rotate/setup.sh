printf '1 opening 100\n2 rent -40\n3 sale 75\n' > ledger.txt
