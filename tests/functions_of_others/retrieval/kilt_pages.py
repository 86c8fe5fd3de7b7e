"""Evaluation of knowledge-intensive tasks: Wikipedia pages retrieved against pages of the provenance."""


def compute_rprec(gold_wikipedia_ids, predicted_page_ids):
    size = len(gold_wikipedia_ids)
    first = []
    for page in predicted_page_ids:
        if page in first:
            continue
        first.append(page)
        if len(first) == size:
            break
    return sum(str(page).strip() in gold_wikipedia_ids for page in first) / size


def compute_map(gold_wikipedia_ids, predicted_page_ids, topk):
    seen = good = 0.0
    total = 0.0
    for page in predicted_page_ids:
        seen += 1
        if page in gold_wikipedia_ids:
            good += 1
            total += good / seen
    return total / min(topk, len(gold_wikipedia_ids))


def _ranked_evidence(datapoint, predicted_page_ids):
    sets = []
    for output in datapoint["output"]:
        pages = {str(one["wikipedia_id"]).strip() for one in output["provenance"]}
        if pages not in sets:
            sets.append(pages)
    number = len(sets)
    rank = []
    for page in (str(page).strip() for page in predicted_page_ids):
        hit = False
        for name, pages in enumerate(sets):
            if page not in pages:
                continue
            hit = True
            if name in [x for x in rank if not isinstance(x, bool)]:
                rank = [x for x in rank if isinstance(x, bool) or x != name]
            pages.remove(page)
            rank.append(name if pages else True)
        if not hit:
            rank.append(False)
    return rank, number


def recall_at_k(datapoint, predicted_page_ids, k):
    rank, number = _ranked_evidence(datapoint, predicted_page_ids)
    return sum(one is True for one in rank[:k]) / number if number else 0
