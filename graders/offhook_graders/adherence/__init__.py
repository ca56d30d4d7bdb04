"""Did the call do the job: the request log and the database against the key."""
