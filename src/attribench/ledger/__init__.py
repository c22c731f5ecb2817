"""The ledger: the store of everything asked of the outside, and the runner that asks.

Whatever asks a slow, paid, failing world does so through here. A question is asked once; its
answer is stored the moment it arrives, outside the outputs that Snakemake deletes and makes anew.
"""
