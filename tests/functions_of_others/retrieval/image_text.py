"""Image-text retrieval after re-scoring: two matrices of scores, and which texts and images belong together."""

import numpy as np


def itm_eval(scores_i2t, scores_t2i, txt2img, img2txt):
    text_ranks = np.zeros(len(scores_i2t))
    for image, row in enumerate(scores_i2t):
        order = np.argsort(row)[::-1]
        text_ranks[image] = min(np.where(order == text)[0][0] for text in img2txt[image])
    image_ranks = np.zeros(len(scores_t2i))
    for text, row in enumerate(scores_t2i):
        order = np.argsort(row)[::-1]
        image_ranks[text] = np.where(order == txt2img[text])[0][0]
    result = {}
    for side, ranks in (("txt", text_ranks), ("img", image_ranks)):
        for k in (1, 5, 10):
            result[f"{side}_r{k}"] = 100.0 * (ranks < k).sum() / len(ranks)
        result[f"{side}_r_mean"] = sum(result[f"{side}_r{k}"] for k in (1, 5, 10)) / 3
    result["r_mean"] = (result["txt_r_mean"] + result["img_r_mean"]) / 2
    return result
