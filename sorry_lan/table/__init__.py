"""What a seat's client does, pure: handle(event) -> commands."""
