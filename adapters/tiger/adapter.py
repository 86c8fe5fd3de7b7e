"""TIGER (XiaoLongtaoo): its evaluation of beams, which are codes that a model gives, here the items of a list.

Its modules stand in a folder, and import each other by their own names.
"""

import sys
from os import path
from types import SimpleNamespace

import torch
from audit_harness import Unaskable

sys.path.insert(0, path.join(sys.path[0], "model"))
import main

NO_ITEM = -1


def prepare(case):
    users = case.relevant.users
    truth = case.relevant.by_user("item", users=users)
    shown = case.recommended.by_user("item", users=users)
    longest = max(map(len, shown.values()), default=0)
    beams = torch.full((len(users), longest), NO_ITEM)
    for row, items in enumerate(shown.values()):
        beams[row, : len(items)] = torch.from_numpy(items)
    twice = any(len(set(items.tolist())) < len(items) for items in shown.values())
    return SimpleNamespace(targets=torch.tensor([[items[0]] for items in truth.values()]), beams=beams, twice=twice)


class Model:
    def __init__(self, beams):
        self.beams = beams

    def eval(self):
        return self

    def generate(self, input_ids, attention_mask, num_beams):
        codes = self.beams.reshape(-1, 1)
        return torch.cat([torch.zeros_like(codes), codes], dim=1)  # a token that starts each, which it takes away


def ask(place, name):
    def answer(data, k):
        if data.twice:
            raise Unaskable("beams of one search are different codes: an item that is recommended twice has two")
        users, beams = data.beams.shape
        history = torch.zeros((users, 1), dtype=torch.long)
        batch = {"history": history, "attention_mask": history, "target": data.targets}
        return main.evaluate(Model(data.beams), [batch], [k], beams, torch.device("cpu"))[place]["%s@%d" % (name, k)]

    return answer


FUNCTIONS = {"main.evaluate[%s]" % name: ask(place, name) for place, name in enumerate(("Recall", "NDCG"))}
