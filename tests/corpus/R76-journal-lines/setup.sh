touch journal records
