"""What vendors' adapters share on the client's side: settings and keys, errors, the event stream of a call,
what is still to be sent, what was heard of the agent, and prices.
"""
