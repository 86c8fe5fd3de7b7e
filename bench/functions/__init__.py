"""Measures ``audit identify`` on functions of ten shapes, right and wrong ones: is each named, how fast?"""
