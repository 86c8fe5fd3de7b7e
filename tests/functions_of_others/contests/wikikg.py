"""KDD Cup 2021, WikiKG90M: the first ten candidates of both directions."""

import numpy as np


class WikiKG90MEvaluator:
    def eval(self, input_dict):
        """input_dict: for h,r->t the arrays t_pred_top10 (n, 10) and t_correct_index (n,); for t,r->h those of h"""
        assert "h,r->t" in input_dict and "t,r->h" in input_dict
        mrr = 0.0
        for task, side in (("h,r->t", "t"), ("t,r->h", "h")):
            top10 = np.asarray(input_dict[task][f"{side}_pred_top10"])
            correct = np.asarray(input_dict[task][f"{side}_correct_index"])
            assert top10.shape[1] == 10 and len(top10) == len(correct)
            assert (top10 >= 0).all() and (top10 < 1001).all()
            mrr += self._calculate_mrr(correct, top10) / 2
        return {"mrr": mrr}

    def _calculate_mrr(self, correct_index, pred_top10):
        row, place = np.nonzero(correct_index.reshape(-1, 1) == pred_top10)
        rr = np.zeros(len(correct_index))
        rr[row] = 1.0 / (place + 1.0)
        return float(rr.mean())
