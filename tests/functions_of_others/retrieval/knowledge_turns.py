"""Dialogue with unstructured knowledge: snippets are dicts of domain, entity and document."""


class Metric:
    def __init__(self):
        self.reset()

    def reset(self):
        self._selection_mrr5 = 0.0
        self._selection_r5 = 0.0

    def _match(self, ref_knowledge, pred_knowledge):
        keys = ("domain", "entity_id", "doc_id")
        return [any(all(pred[key] == ref[key] for key in keys) for ref in ref_knowledge) for pred in pred_knowledge]

    def _reciprocal_rank(self, ref_knowledge, hyp_knowledge, k=5):
        marks = self._match(ref_knowledge, hyp_knowledge)[:k]
        return 1.0 / (marks.index(True) + 1) if True in marks else 0.0

    def _recall_at_k(self, ref_knowledge, hyp_knowledge, k=5):
        return float(True in self._match(ref_knowledge, hyp_knowledge)[:k])
