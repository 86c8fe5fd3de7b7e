"""DeepEval: its contextual metrics, with a judge that gives the verdicts which follow from the ids.

Longer than most: the judge is an object with the methods of a language model.
"""

import json
import os
from types import SimpleNamespace

os.environ["DEEPEVAL_TELEMETRY_OPT_OUT"] = "YES"
os.environ["DEEPEVAL_DISABLE_DOTENV"] = "1"

from deepeval import metrics  # noqa: E402
from deepeval.models import DeepEvalBaseLLM  # noqa: E402
from deepeval.test_case import LLMTestCase  # noqa: E402


class Given(DeepEvalBaseLLM):
    """Answers each question with the next list of verdicts."""

    def __init__(self, answers):
        self.answers = iter(answers)
        super().__init__("given")

    def load_model(self):
        return None

    def get_model_name(self):
        return "given"

    def generate(self, prompt, schema=None):
        return json.dumps({"verdicts": next(self.answers)})

    async def a_generate(self, prompt, schema=None):
        return self.generate(prompt, schema)


def prepare(case):
    users = case.recommended.users
    truth, shown = (table.by_user("item", users=users) for table in (case.relevant, case.recommended))
    return SimpleNamespace(
        users=users,
        truth=[list(map(str, items.tolist())) for items in truth.values()],
        shown=[list(map(str, items.tolist())) for items in shown.values()],
    )


def verdicts(items, among):
    return [{"verdict": "yes" if each in among else "no", "reason": each, "statement": each} for each in items]


def ask(name, answers):
    def answer(data, k):
        values = []
        for true, shown in zip(data.truth, data.shown):
            judge = Given(answers(shown[:k], true))
            metric = getattr(metrics, name)(model=judge, include_reason=False, async_mode=False)
            case = LLMTestCase(input="?", expected_output=" ".join(true) or "none", retrieval_context=shown[:k])
            values.append(metric.measure(case, _show_indicator=False))
        return None, data.users, values

    return answer


FUNCTIONS = {
    "deepeval.metrics.ContextualPrecisionMetric.measure": ask(
        "ContextualPrecisionMetric", lambda shown, true: [verdicts(shown, true)]
    ),
    "deepeval.metrics.ContextualRelevancyMetric.measure": ask(
        "ContextualRelevancyMetric", lambda shown, true: [verdicts([each], true) for each in shown]
    ),
    "deepeval.metrics.ContextualRecallMetric.measure": ask(
        "ContextualRecallMetric", lambda shown, true: [verdicts(true, shown)]
    ),
}
