"""Scores of predicted click-through rates of search advertisements: clicks and impressions of each instance."""

import math


def _elementwise(num_clicks, num_impressions, predicted_ctr, error):
    total = weight = 0.0
    for clicks, impressions, ctr in zip(num_clicks, num_impressions, predicted_ctr, strict=False):
        total += error(clicks / impressions, ctr) * impressions
        weight += impressions
    return total / weight


def scoreWRMSE(num_clicks, num_impressions, predicted_ctr):
    return math.sqrt(_elementwise(num_clicks, num_impressions, predicted_ctr, lambda a, b: (a - b) ** 2))


def scoreNWMAE(num_clicks, num_impressions, predicted_ctr):
    return _elementwise(num_clicks, num_impressions, predicted_ctr, lambda a, b: abs(a - b))


def scoreClickAUC(num_clicks, num_impressions, predicted_ctr):
    order = sorted(range(len(predicted_ctr)), key=lambda i: predicted_ctr[i], reverse=True)
    area = clicked = clicked_before = passed = passed_all = 0.0
    current = predicted_ctr[order[0]] + 1.0
    for i in order:
        if predicted_ctr[i] != current:
            area += (clicked + clicked_before) * passed / 2.0
            clicked_before, passed = clicked, 0.0
            current = predicted_ctr[i]
        passed += num_impressions[i] - num_clicks[i]
        passed_all += num_impressions[i] - num_clicks[i]
        clicked += num_clicks[i]
    area += (clicked + clicked_before) * passed / 2.0
    return area / (clicked * passed_all)
