"""osgt"""
