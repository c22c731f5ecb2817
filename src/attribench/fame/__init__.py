"""How often is each author referred to?"""
