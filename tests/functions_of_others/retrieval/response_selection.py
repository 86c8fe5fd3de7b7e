"""Selection of the next utterance: rows (score, label) in groups, the true response in the first row of each."""


def get_p_at_n_in_m(data, n, m, ind):
    true_score = data[ind][0]
    group = sorted(data[ind : ind + m], key=lambda row: row[0], reverse=True)
    return 1 if group[n - 1][0] <= true_score else 0
