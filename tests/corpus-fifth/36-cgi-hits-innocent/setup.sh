: > hits.log
