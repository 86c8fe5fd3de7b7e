"""How each function of ``tests/functions_of_others/AREA`` is called on a drawn input: a module an area.

``CALLS`` has for each function (named as in the area's table) what to do with it and a drawn input; the result is a
number. ``SLOW`` has what is expected of a function that no definition computes, or that computes another number than
the definition's (100 x, 1 - x): plain loops, written from what the table says and not from the function.
"""
