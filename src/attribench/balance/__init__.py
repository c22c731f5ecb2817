"""Which authors match across groups?"""
