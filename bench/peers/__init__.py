"""One module a library: ``convert`` makes its own input of columns, ``usual`` computes its metrics at k from that.

They run in the library's own environment. ``DEFINITIONS`` holds what each value is, as found by an audit: the bench
compares the values with the reference's before it compares times. Columns are numpy arrays: ``user``, ``item``,
``score``, grouped by user and best first where ``ordered``, and ``truth_user``, ``truth_item``, ``truth_gain``.
"""
