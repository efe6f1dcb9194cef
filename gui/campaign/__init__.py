"""The page of campaigns: what is asked, how far it is, what it shows, all of its cases."""
