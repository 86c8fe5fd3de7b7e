"""Finding experts in question answering: answerers of one question, of whom one is the accepted one."""


class Utils:
    def performance_metrics(self, aid_list, score_list, accid, k):
        """(reciprocal rank, hit at k, hit at 1)"""
        ranked = sorted(zip(aid_list, score_list, strict=True), key=lambda pair: pair[1], reverse=True)
        for index, (aid, _) in enumerate(ranked):
            if aid == accid:
                return 1 / (index + 1), int(index < k), int(index == 0)
        return None
