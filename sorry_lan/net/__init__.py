"""Links between clients: sockets, TLS, the signed hello, whom to dial. Knows frames and keys, not the game."""
