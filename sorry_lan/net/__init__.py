"""Links between peers, on trio."""
