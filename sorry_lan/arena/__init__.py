"""Bots against bots: many games over the same cards, and what they prove about players and seats."""
