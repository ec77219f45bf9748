mkdir drop; chmod 1777 drop
echo held > drop/claim.5
