"""The report as one HTML page that needs nothing but a browser: no server, no network."""
