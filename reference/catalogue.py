"""The documented variants: definitions that a source states, with the names they go by."""

from __future__ import annotations

from dataclasses import dataclass

from reference.definition import Definition, parse

TAMM = "Tamm, Damdinov & Vasilev 2021, Quality Metrics in Recommender Systems"
SCHROEDER = "Schröder, Thiele & Lehner 2011, Setting Goals and Choosing Metrics for Recommender System Evaluations"


@dataclass(frozen=True)
class Variant:
    """A documented definition: signature, the name it goes by, and who states it."""

    signature: str
    name: str
    source: str

    @property
    def definition(self) -> Definition:
        """The definition that the signature stands for."""
        return parse(self.signature)


CATALOGUE = (
    Variant("precision@k", "precision", f"{TAMM}, §4.1"),
    Variant("precision@k|denominator:shown", "precision over what is shown", f"{SCHROEDER}, §4.2"),
    Variant("precision@k|pooling:pooled", "micro-averaged precision", "Manning, Raghavan & Schütze 2008, §13.6"),
    Variant("recall@k", "recall", f"{TAMM}, §4.1"),
    Variant("recall@k|denominator:min", "recall that can reach 1", "Liang et al. 2018 (Mult-VAE), §4.2"),
    Variant("hit_rate@k", "hit rate", f"{TAMM}, §4.2"),
    Variant("hit_rate@k|counts:hits", "number of hits", f"{TAMM}, §4.2"),
    Variant("hit_rate@k|counts:recall", "hit rate as recall", f"{TAMM}, §4.2, of CoupledCF and TriRank"),
    Variant("f_score@k", "F1", f"{SCHROEDER}, §4.2"),
    Variant("f_score@k|beta:2", "F2", f"{SCHROEDER}, §4.2"),
    Variant("reciprocal_rank@k", "reciprocal rank", f"{TAMM}, §4.3"),
    Variant("reciprocal_rank@k|ranks:sum", "ARHR over several hits", f"{TAMM}, §4.3"),
    Variant("average_precision@k", "average precision over min(k, r)", f"{TAMM}, §4.4"),
    Variant("average_precision@k|denominator:r", "area under the precision-recall curve", f"{TAMM}, §4.4"),
    Variant("average_precision@k|denominator:k", "average precision over k", f"{TAMM}, §4.4"),
    Variant("average_precision@k|denominator:k|indicator:dropped", "mean of precision at every rank", f"{TAMM}, §4.4"),
    Variant(
        "average_precision@k|denominator:cumulative", "average precision over cumulated min(j, r)", f"{TAMM}, §4.4"
    ),
    Variant("ndcg@k", "BNDCG", f"{TAMM}, §4.5"),
    Variant("ndcg@k|gain:exp2", "WNDCG", f"{TAMM}, §4.5; Burges et al. 2005"),
    Variant("ndcg@k|ideal:none", "BDCG", f"{TAMM}, §4.5; Järvelin & Kekäläinen 2002"),
    Variant("ndcg@k|discount:ln|ideal:none", "DCG, natural logarithm", "Järvelin & Kekäläinen 2002, §2.2"),
    Variant("ndcg@k|discount:log2_clipped", "NDCG, b = 2", "Järvelin & Kekäläinen 2002, §2.2"),
    Variant("auc", "GAUC", f"{TAMM}, §4.6"),
    Variant("auc|scope:stacked", "SAUC", f"{TAMM}, §4.6"),
    Variant("auc|pooling:weighted|weight:rated", "GAUC weighted by rated items", f"{TAMM}, §4.6"),
    Variant("auc|pooling:weighted|weight:relevant", "per-user areas averaged term by term", f"{TAMM}, §4.6"),
    Variant("auc@k|list:topk", "GAUC@k", f"{TAMM}, §4.6"),
    Variant("auc@k|list:limited", "LAUC", f"{SCHROEDER}, §5.2"),
    Variant("r_precision", "R-precision", "Manning, Raghavan & Schütze 2008, §8.4"),
)

_DOCUMENTED = frozenset(variant.definition.simplified().with_(k="k") for variant in CATALOGUE)


def documents(definition: Definition) -> bool:
    """Whether a source states the definition: its formula and pooling stand in the catalogue (or are canonical),
    and each choice of users, edge or order value off its canonical place has a source of its own."""
    canonical = definition.family.canonical
    parts = ("formula", "averaging")
    point = {axis.name for axis in definition.family.all_axes if axis.part in parts and axis.name != "users"}
    rest = {name: canonical[name] for name in definition.axes if name not in point}
    core = definition.with_(**rest).simplified().with_(k="k")
    cited = all(
        definition.family.axis(name).value(definition.axes[name]).source is not None
        for name in definition.differs_on
        if name not in point
    )
    return cited and (core in _DOCUMENTED or not core.differs_on)
