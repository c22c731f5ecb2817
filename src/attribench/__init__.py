"""AttriBench: whom do language models give credit to, and whom do they leave out?

The package holds one subpackage per stage of the workflow and a small shared base:
`tables`, `settings`, `ledger`, `text` and `errors`.
"""
