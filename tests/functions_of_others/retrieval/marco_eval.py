"""The official script of a passage ranking task: dicts of query id to passage ids, candidates padded with zeros."""

MaxMRRRank = 10


def compute_metrics(qids_to_relevant_passageids, qids_to_ranked_candidate_passages):
    total, ranking = 0, []
    for qid, candidates in qids_to_ranked_candidate_passages.items():
        if qid not in qids_to_relevant_passageids:
            continue
        wanted = qids_to_relevant_passageids[qid]
        ranking.append(0)
        for place in range(MaxMRRRank):
            if candidates[place] in wanted:
                total += 1 / (place + 1)
                ranking[-1] = place + 1
                break
    if not ranking:
        raise OSError("No matching QIDs found. Are you sure you are scoring the evaluation set?")
    return {
        "MRR @10": total / len(qids_to_relevant_passageids),
        "QueriesRanked": len(qids_to_ranked_candidate_passages),
    }
