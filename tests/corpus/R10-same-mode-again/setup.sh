mkdir spool
