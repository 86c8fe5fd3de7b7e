"""trectools: TrecEval on a run and judgements that it reads from files, as its README shows."""

from pathlib import Path
from tempfile import TemporaryDirectory

from trectools import TrecEval, TrecQrel, TrecRun


def prepare(case):
    shown, true = case.recommended, case.relevant
    run = "".join(
        "%d Q0 %d 0 %r own\n" % row for row in zip(shown.user.tolist(), shown.item.tolist(), shown.score.tolist())
    )
    qrels = "".join("%d 0 %d %r\n" % row for row in zip(true.user.tolist(), true.item.tolist(), true.gain.tolist()))
    return run, qrels


def ask(name, **options):
    def answer(data, k):
        with TemporaryDirectory() as folder:
            files = [Path(folder, each) for each in ("run", "qrels")]
            for file, text in zip(files, data):
                file.write_text(text)
            evaluation = TrecEval(TrecRun(str(files[0])), TrecQrel(str(files[1])))
            depth = {} if k is None else {"depth": k}
            value = getattr(evaluation, name)(**depth, **options)
            return value[0] if name == "get_rbp" else value  # of RBP and its residual

    return answer


NAMES = ("ndcg", "map", "reciprocal_rank", "precision", "recall", "rprec", "bpref", "rbp")
FUNCTIONS = {"trectools.TrecEval.get_" + name: ask("get_" + name) for name in NAMES}
FUNCTIONS["trectools.TrecEval.get_ndcg[trec_eval=False]"] = ask("get_ndcg", trec_eval=False)
