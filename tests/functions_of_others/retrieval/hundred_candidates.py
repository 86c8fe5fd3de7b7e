"""Ranking of a hundred responses: labels and logits of all rows, ids of the form example_response."""


def ranking_eval(labels, logits, ids):
    groups = {}
    for number, name in enumerate(ids):
        example, response = name.split("_")
        groups.setdefault(example, []).append((response, logits[number][1], labels[number]))
    top = {1: 0, 10: 0, 50: 0}
    total = 0
    for rows in groups.values():
        assert len(rows) == 100
        rows.sort(key=lambda row: row[1], reverse=True)
        for rank, row in enumerate(rows, 1):
            if row[2] == 1:
                total += 1 / rank
                for k in top:
                    top[k] += rank <= k
    number = len(ids)
    return top[1] / number, top[10] / number, top[50] / number, total / number
