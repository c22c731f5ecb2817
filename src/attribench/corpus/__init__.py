"""The stage corpus: which quotes, by which individual?"""
