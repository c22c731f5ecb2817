"""What race and gender is each author recorded with, and by which source?"""
