"""Which quotes go into the prompt?"""
