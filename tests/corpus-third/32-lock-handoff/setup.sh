mkdir run
