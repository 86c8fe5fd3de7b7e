"""Evaluators of a retrieval pipeline as components: documents of all questions in, a dict with the score out."""

from math import log2


class Document:
    def __init__(self, content=None, id=None, score=None):
        self.content, self.score = content, score
        self.id = id if id is not None else content


class DocumentNDCGEvaluator:
    def run(self, ground_truth_documents, retrieved_documents):
        self.validate_inputs(ground_truth_documents, retrieved_documents)
        values = []
        for truth, found in zip(ground_truth_documents, retrieved_documents, strict=False):
            best = self.calculate_idcg(truth)
            values.append(self.calculate_dcg(truth, found) / best if best > 0 else 0)
        return {"score": sum(values) / len(ground_truth_documents), "individual_scores": values}

    @staticmethod
    def validate_inputs(gt_docs, ret_docs):
        if not gt_docs or not ret_docs or len(gt_docs) != len(ret_docs):
            raise ValueError("ground_truth_documents and retrieved_documents must be given and of one length.")

    @staticmethod
    def calculate_dcg(gt_docs, ret_docs):
        grade = {doc.id: 1 if doc.score is None else doc.score for doc in gt_docs}
        return sum(grade[doc.id] / log2(place + 2) for place, doc in enumerate(ret_docs) if doc.id in grade)

    @staticmethod
    def calculate_idcg(gt_docs):
        grades = sorted((1 if doc.score is None else doc.score for doc in gt_docs), reverse=True)
        return sum(grade / log2(place + 2) for place, grade in enumerate(grades))


class DocumentMAPEvaluator:
    def run(self, ground_truth_documents, retrieved_documents):
        if len(ground_truth_documents) != len(retrieved_documents):
            raise ValueError("The length of ground_truth_documents and retrieved_documents must be the same.")
        values = []
        for truth, found in zip(ground_truth_documents, retrieved_documents, strict=True):
            wanted = [doc.content for doc in truth if doc.content is not None]
            total, good = 0.0, 0
            for place, doc in enumerate(found):
                if doc.content is not None and doc.content in wanted:
                    good += 1
                    total += good / (place + 1)
            values.append(total / good if good else 0.0)
        return {"score": sum(values) / len(ground_truth_documents), "individual_scores": values}
