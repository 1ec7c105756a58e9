"""beyond"""
