"""Reads the source of a function that is to be called: names of columns, kinds of tables, shapes that it speaks for.

A copy of this file runs in the author's interpreter: it uses the standard library only, Python 3.6 syntax and nothing
of ours.
"""

import inspect
import os
import re
import sys

_OTHER_COLUMNS = {
    "user": ("u", "user_id", "userId", "userID", "userid", "UserId", "uid", "user_idx", "query_id", "qid",
             "session_id", "session", "group_id", "group_name", "query"),
    "item": ("item_id", "itemId", "itemID", "itemid", "ItemId", "iid", "item_idx", "movie_id", "movieId", "product_id",
             "doc_id", "docid", "docno"),
    "score": ("prediction", "pred", "predicted", "predicted_score", "predicted_rating", "y_pred", "prob",
              "probs", "logit"),
    "gain": ("rating", "relevance", "label", "target", "y_true", "grade", "rel"),
    "list": ("prediction", "predictions", "recommendations", "recommended", "recs", "labels", "items", "aids"),
    "true": ("ground_truth", "actual", "relevant", "relevant_items", "targets", "gt", "truth"),
}  # fmt: skip
_IS_IN = re.compile(r"\b(isin|in1d|intersect1d)\(")
_OF_FRAMES = ("list-frames", "frames", "table")


def read_source(function, columns, reads, file=os.devnull):
    """Read the source of a function, or else its file: it tells names of columns, and what kinds of tables it reads.

    The first is noted in `columns`, the second in `reads`, which are those of ``call_shapes``. Return the names of
    columns that are not usual.
    """
    try:
        source = inspect.getsource(function if inspect.isroutine(function) else type(function))
    except (TypeError, OSError):
        with open(file, encoding="utf-8", errors="replace") as whole:
            source = whole.read()
    reads["sparse"] = re.search(r"\.(toarray|todense|getnnz|nnz|indptr|tocsr|getrow)\b", source) is not None
    reads["mask"] = re.search(r"\[~\w+\]", source) is not None
    beside = sys.modules.get(getattr(function, "__module__", None))
    reads["isin"] = any(_IS_IN.search(each) for each in (source, _source_of(beside)))
    reads["texts"] = re.search(r"\bstr\(|\.(strip|lower|split)\(", source) is not None
    reads["series"] = re.search(r"\.(iloc\[|index\b(?!\()|fillna\(|nlargest\()", source) is not None
    reads["places"] = re.search(r"\.(iloc\[|index\b(?!\())", source) is not None
    walked = re.findall(r"for (\w+) in \w+(?:\.keys\(\))?[:\])}]", source)
    reads["by_user"] = any(re.search(r"\w\[%s\]" % user, source) for user in walked)
    reads["frames"] = re.search(r"\.(merge|groupby|sort_values|drop_duplicates|iterrows)\(", source) is not None
    # What a function calls, and its class, name columns for it.
    read = source + _of_called(source, beside, set()) if reads["frames"] else source
    ranks = re.findall(r"\[['\"]rank['\"]\]( = )?", read)
    reads["rank"] = bool(ranks) and " = " not in ranks
    whole = read + _source_of(_class_of(function))
    for usual, others in _OTHER_COLUMNS.items():
        named = [name for each in (source, whole) for name in _columns_named(each, (usual,) + others)]
        columns[usual] = (named + [usual])[0]
    unusual = [name for usual, name in columns.items() if name != usual and usual not in ("list", "true")]
    return unusual + ["rank"] * reads["rank"]


def _columns_named(source, names):
    """Return those of some names that a source has in quotes, then those that it has as an attribute."""
    quoted = [name for name in names if re.search("['\"]%s['\"]" % name, source)]
    return quoted + [name for name in names if re.search(r"(?<!self)\.%s\b(?!\()" % name, source)]


def _class_of(function):
    """Return the class of which a function is a method of an object; None if it is none."""
    own = getattr(inspect.unwrap(function), "__self__", None)
    return None if own is None or inspect.ismodule(own) else type(own)


def _of_called(source, module, known):
    """Return the source of all functions of a module that a source calls, and of those that these call."""
    called = [getattr(module, name, None) for name in sorted({*re.findall(r"(\w+)\(", source)} - known)]
    known.update(re.findall(r"(\w+)\(", source))
    texts = ["\n" + _source_of(each) for each in called if inspect.isfunction(each)]
    return "".join(text + _of_called(text, module, known) for text in texts)


def _source_of(module):
    """Return the source of a module, a class or a function; empty where there is none."""
    try:
        return inspect.getsource(module)
    except (TypeError, OSError):
        return ""


def iterates(function, names):
    """Return True if the source of a function goes over a parameter, or looks something up in it, as in a list.

    Nobody goes over a DataFrame so: that gives names of columns. `names` are the parameters'.
    """
    try:
        source = inspect.getsource(function)
    except (TypeError, OSError):
        return False
    of_any = "|".join(re.escape(name) for name in names)
    walked = r"(?<!['\"]) in (?:set\(|list\(|enumerate\(|zip\()?(?:%s)\b(?!\.|\(|\[['\"])" % of_any
    return bool(names) and re.search(walked, source) is not None


def offered(function, parameters, likely, shapes):
    """Return the names of shapes that a function may have, those first that its source speaks for.

    `parameters` are its own, and `likely` the shapes for which their names speak; :func:`read_source` was called with
    what ``call_shapes``, which is the last, notes.
    """
    columns, reads = shapes.COLUMNS, shapes.READS
    if columns["list"] == "list" or columns["true"] == "true":  # its source names no columns of lists
        likely = [shape for shape in likely if not shape.startswith("list-frames")]
    read = () if not reads["series"] else ("series", "series-one") if reads["places"] else ("series-scores-one",)
    likely = [shape for shape in likely if shape in read or not shape.startswith("series")]
    likely.sort(key=lambda shape: shape not in read)
    if reads["frames"]:
        return sorted(likely, key=lambda shape: not shape.startswith(_OF_FRAMES))
    lists = [shape for shape in likely if shape != "table"]
    if iterates(function, parameters.names or ()):
        # Spares the import of pandas; and of arrays of several lists, "in" would ask something else.
        return [shape for shape in lists if not shape.startswith(_OF_FRAMES) and shape not in shapes.BATCHES_OF_ONE]
    return lists
