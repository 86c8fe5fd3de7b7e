"""RecSys Challenge 2019: submissions with the ids in one string, and the clicked id of each session."""

import numpy as np


def generate_rranks_range(start, end):
    return 1.0 / (np.arange(start, end) + 1)


def get_reciprocal_ranks(ps):
    """Take a row with reference and item_recommendations."""
    mask = ps.reference == np.array(ps.item_recommendations)
    if mask.sum() == 1:
        return generate_rranks_range(0, len(mask))[mask].min()
    return 0.0


def get_average_precision_at3(ps):
    """Take a row with reference and item_recommendations."""
    return (ps.reference == np.array(ps.item_recommendations)[0:3]).sum() / 3.0


def convert_string_to_list(df, col, new_col):
    df[new_col] = [[int(item) for item in text.split(" ")] if isinstance(text, str) else text for text in df[col]]
    return df


def score_submissions(df_subm, df_gt, objective_function=get_reciprocal_ranks):
    """Both are indexed by session; item_recommendations of the first is a string, reference of the second an id."""
    both = df_gt.loc[:, ["reference"]].join(df_subm, how="inner")
    both["reference"] = both["reference"].astype(int)
    both = convert_string_to_list(both, "item_recommendations", "item_recommendations")
    return both.apply(objective_function, axis=1).mean()
