"""What did each model say, and whom did it name?"""
