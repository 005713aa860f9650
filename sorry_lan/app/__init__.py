"""The loop that joins table, net, store and ui."""
