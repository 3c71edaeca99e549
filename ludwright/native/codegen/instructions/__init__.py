"""Instructions as native code, and the functions that are made of them."""
