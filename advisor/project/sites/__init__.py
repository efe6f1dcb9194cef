"""Sites, from the files and listings that schedulers and hosts give of their machines."""
