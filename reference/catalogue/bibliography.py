"""The sources that definitions are cited from, so that every citation can be followed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Source:
    """A text that definitions are cited from.

    ``short`` is its short citation, ``place`` where it appeared, ``link`` its web address (empty without a stable one),
    ``authors`` all of its authors as BibTeX joins them (empty for software and its pages).
    """

    short: str
    title: str
    place: str
    link: str = ""
    authors: str = ""


@dataclass(frozen=True)
class Citation:
    """A place in a source: ``at`` is a section, a page or an option of a program, ``says`` a short note on it."""

    source: Source
    at: str
    says: str = ""

    def __str__(self) -> str:
        return f"{self.source.short}, {self.at}" + (f" ({self.says})" if self.says else "")


# fmt: off
TAMM = Source("Tamm et al. 2021", "Quality Metrics in Recommender Systems: Do We Calculate Metrics Consistently?",
    "15th ACM Conference on Recommender Systems, 2021", "https://doi.org/10.1145/3460231.3478848",
    "Tamm, Yan-Martin and Damdinov, Rinchin and Vasilev, Alexey")
SCHROEDER = Source("Schröder et al. 2011", "Setting Goals and Choosing Metrics for Recommender System Evaluations",
    "UCERSTI 2 workshop at the 5th ACM Conference on Recommender Systems, Chicago, 2011, in CEUR-WS volume 811",
    "https://ceur-ws.org/Vol-811/", "Schröder, Gunnar and Thiele, Maik and Lehner, Wolfgang")
# The author's site, not the post: copies of the text carry no address and no date (it cites a commit of 2016-11-29).
BELLEI = Source("Bellei", "The confusion over information retrieval metrics in Recommender Systems", "blog post",
    "http://www.claudiobellei.com/", "Bellei, Claudio")
GIORGI = Source("giorgi.tech", "Some Offline Metrics for Recommender Systems", "blog post",
    "https://giorgi.tech/blog/offline-metrics-for-recommender-systems/")
MANNING = Source("Manning et al. 2008", "Introduction to Information Retrieval", "Cambridge University Press, 2008",
    "https://nlp.stanford.edu/IR-book/", "Manning, Christopher D. and Raghavan, Prabhakar and Schütze, Hinrich")
LIANG = Source("Liang et al. 2018", "Variational Autoencoders for Collaborative Filtering", "The Web Conference, 2018",
    "https://doi.org/10.1145/3178876.3186150",
    "Liang, Dawen and Krishnan, Rahul G. and Hoffman, Matthew D. and Jebara, Tony")
JARVELIN = Source("Järvelin & Kekäläinen 2002", "Cumulated gain-based evaluation of IR techniques",
    "ACM Transactions on Information Systems 20 (4), 422–446", "https://doi.org/10.1145/582415.582418",
    "Järvelin, Kalervo and Kekäläinen, Jaana")
BURGES = Source("Burges et al. 2005", "Learning to rank using gradient descent",
    "22nd International Conference on Machine Learning, 89–96", "https://doi.org/10.1145/1102351.1102363",
    "Burges, Chris and Shaked, Tal and Renshaw, Erin and Lazier, Ari"
    " and Deeds, Matt and Hamilton, Nicole and Hullender, Greg")
DESHPANDE = Source("Deshpande & Karypis 2004", "Item-based top-N recommendation algorithms",
    "ACM Transactions on Information Systems 22 (1), 143–177", "https://doi.org/10.1145/963770.963776",
    "Deshpande, Mukund and Karypis, George")
NING = Source("Ning & Karypis 2011", "SLIM: Sparse Linear Methods for Top-N Recommender Systems",
    "11th IEEE International Conference on Data Mining, 497–506", "https://doi.org/10.1109/ICDM.2011.134",
    "Ning, Xia and Karypis, George")
MCSHERRY = Source("McSherry & Najork 2008",
    "Computing information retrieval performance measures efficiently in the presence of tied scores",
    "European Conference on Information Retrieval, 414–421", "https://doi.org/10.1007/978-3-540-78646-7_38",
    "McSherry, Frank and Najork, Marc")
PYKEEN = Source("PyKEEN", "Understanding the Evaluation", "its documentation",
    "https://pykeen.readthedocs.io/en/stable/tutorial/understanding_evaluation.html")
MOFFAT = Source("Moffat & Zobel 2008", "Rank-biased precision for measurement of retrieval effectiveness",
    "ACM Transactions on Information Systems 27 (1), article 2", "https://doi.org/10.1145/1416950.1416952",
    "Moffat, Alistair and Zobel, Justin")
CHAPELLE = Source("Chapelle et al. 2009", "Expected reciprocal rank for graded relevance",
    "18th ACM Conference on Information and Knowledge Management, 621–630", "https://doi.org/10.1145/1645953.1646033",
    "Chapelle, Olivier and Metzler, Donald and Zhang, Ya and Grinspan, Pierre")
GULIN = Source("Gulin et al. 2009",
    "Yandex at ROMIP'2009: optimization of ranking algorithms by machine learning methods",
    "Russian Information Retrieval Evaluation Seminar, 163–168", "http://romip.ru/romip2009/15_yandex.pdf",
    "Gulin, Andrey and Karpovich, Pavel and Raskovalov, Denis and Segalovich, Ilya")
AZZOPARDI = Source("Azzopardi et al. 2021",
    "ERR is not C/W/L: Exploring the Relationship Between Expected Reciprocal Rank and Other Metrics",
    "ACM SIGIR International Conference on Theory of Information Retrieval", "https://doi.org/10.1145/3471158.3472239",
    "Azzopardi, Leif and Mackenzie, Joel and Moffat, Alistair")
MUSGRAVE = Source("Musgrave et al. 2020", "A Metric Learning Reality Check",
    "European Conference on Computer Vision, 2020, 681–699", "https://doi.org/10.1007/978-3-030-58595-2_41",
    "Musgrave, Kevin and Belongie, Serge and Lim, Ser-Nam")
METRIC_LEARNING = Source("PyTorch Metric Learning", "pytorch_metric_learning.utils.accuracy_calculator",
    "PyTorch Metric Learning, src/pytorch_metric_learning/utils/accuracy_calculator.py",
    "https://github.com/KevinMusgrave/pytorch-metric-learning")
POWERS = Source("Powers 2011",
    "Evaluation: from precision, recall and F-measure to ROC, informedness, markedness and correlation",
    "International Journal of Machine Learning Technology 2 (1), 37–63", "https://arxiv.org/abs/2010.16061",
    "Powers, David M. W.")
AGGARWAL = Source("Aggarwal 2016", "Recommender Systems: The Textbook", "Springer, 2016",
    "https://doi.org/10.1007/978-3-319-29659-3", "Aggarwal, Charu C.")
OPITZ = Source("Opitz & Burst 2019", "Macro F1 and Macro F1", "arXiv preprint 1911.03347",
    "https://arxiv.org/abs/1911.03347", "Opitz, Juri and Burst, Sebastian")
GE = Source("Ge et al. 2010", "Beyond Accuracy: Evaluating Recommender Systems by Coverage and Serendipity",
    "4th ACM Conference on Recommender Systems, 2010", "https://doi.org/10.1145/1864708.1864761",
    "Ge, Mouzhi and Delgado-Battenfeld, Carla and Jannach, Dietmar")
SHANI = Source("Shani & Gunawardana 2011", "Evaluating Recommendation Systems",
    "Recommender Systems Handbook, Springer, 2011", "https://doi.org/10.1007/978-0-387-85820-3_8",
    "Shani, Guy and Gunawardana, Asela")
ZHOU = Source("Zhou et al. 2010", "Solving the apparent diversity-accuracy dilemma of recommender systems",
    "Proceedings of the National Academy of Sciences 107 (10), 2010", "https://doi.org/10.1073/pnas.1000488107",
    "Zhou, Tao and Kuscsik, Zoltan and Liu, Jian-Guo and Medo, Matus and Wakeling, Joseph Rushton and Zhang, Yi-Cheng")
CASTELLS = Source("Castells et al. 2011",
    "Novelty and Diversity Metrics for Recommender Systems: Choice, Discovery and Relevance",
    "International Workshop on Diversity in Document Retrieval at ECIR, 2011", "",
    "Castells, Pablo and Vargas, Saul and Wang, Jun")
VARGAS = Source("Vargas & Castells 2011",
    "Rank and Relevance in Novelty and Diversity Metrics for Recommender Systems",
    "5th ACM Conference on Recommender Systems, 2011", "https://doi.org/10.1145/2043932.2043955",
    "Vargas, Saul and Castells, Pablo")
ZHU = Source("Zhu et al. 2020",
    "Measuring and Mitigating Item Under-Recommendation Bias in Personalized Ranking Systems",
    "43rd International ACM SIGIR Conference, 2020", "https://doi.org/10.1145/3397271.3401177",
    "Zhu, Ziwei and Wang, Jianling and Caverlee, James")
ABDOLLAHPOURI = Source("Abdollahpouri et al. 2019",
    "Managing Popularity Bias in Recommender Systems with Personalized Re-ranking",
    "32nd International FLAIRS Conference, 2019", "https://arxiv.org/abs/1901.07555",
    "Abdollahpouri, Himan and Burke, Robin and Mobasher, Bamshad")
ZIEGLER = Source("Ziegler et al. 2005", "Improving Recommendation Lists Through Topic Diversification",
    "14th International World Wide Web Conference, 2005, 22–32", "https://doi.org/10.1145/1060745.1060754",
    "Ziegler, Cai-Nicolas and McNee, Sean M. and Konstan, Joseph A. and Lausen, Georg")
ZHANG = Source("Zhang et al. 2012", "Auralist: Introducing Serendipity into Music Recommendation",
    "5th ACM International Conference on Web Search and Data Mining, 2012, 13–22",
    "https://doi.org/10.1145/2124295.2124300",
    "Zhang, Yuan Cao and Ó Séaghdha, Diarmuid and Quercia, Daniele and Jambor, Tamas")
RECOMMENDERS = Source("MS Recommenders", "recommenders.evaluation.python_evaluation", "Recommenders, release 1.2.1",
    "https://github.com/recommenders-team/recommenders/blob/1.2.1/recommenders/evaluation/python_evaluation.py")
RECBOLE = Source("RecBole", "recbole.evaluator.metrics", "RecBole, release 1.2.1",
    "https://github.com/RUCAIBox/RecBole/blob/v1.2.1/recbole/evaluator/metrics.py")
REPLAY = Source("RePlay", "replay.metrics", "RePlay, release 0.22.0", "https://github.com/sb-ai-lab/RePlay")
RECPACK = Source("RecPack", "recpack.metrics", "RecPack, release 0.3.6",
    "https://gitlab.com/recpack-maintainers/recpack")
RECOMETRICS = Source("recometrics", "Evaluation Metrics for Implicit-Feedback Recommender Systems: calc.reco.metrics",
    "R package documentation, man/calc.reco.metrics.Rd", "https://github.com/david-cortes/recometrics")
RECTOOLS = Source("RecTools", "rectools.metrics.ranking", "RecTools, documentation of its classes",
    "https://github.com/MobileTeleSystems/RecTools")
LENSKIT_POPULARITY = Source("LensKit popularity", "lenskit.metrics.ranking.MeanPopRank",
    "LensKit for Python, API reference", "https://lenskit.org/latest/api/lenskit.metrics.MeanPopRank.html")
LENSKIT = Source("LensKit", "lenskit.metrics.LogRankWeight", "LensKit for Python, API reference",
    "https://lenskit.org/latest/api/lenskit.metrics.LogRankWeight.html")
CORNAC = Source("Cornac", "cornac.metrics.NCRR, Normalized Cumulative Reciprocal Rank",
    "Cornac, cornac/metrics/ranking.py", "https://github.com/PreferredAI/cornac")
KOREN = Source("Koren & Sill 2013", "Collaborative filtering on ordinal user feedback",
    "23rd International Joint Conference on Artificial Intelligence, 3022–3026",
    "https://www.ijcai.org/Proceedings/13/Papers/449.pdf", "Koren, Yehuda and Sill, Joe")
TREC_EVAL = Source("trec_eval", "trec_eval, help text of its measures",
    "National Institute of Standards and Technology", "https://github.com/usnistgov/trec_eval")
SPARK = Source("Spark MLlib", "Evaluation Metrics - RDD-based API: ranking systems", "Apache Spark documentation",
    "https://spark.apache.org/docs/latest/mllib-evaluation-metrics.html")
GDEVAL = Source("gdeval", "gdeval.pl: graded relevance assessment script",
    "TREC Web Track, National Institute of Standards and Technology", "https://github.com/trec-web/trec-web-2014")
SCIKIT_LEARN = Source("scikit-learn", "sklearn.metrics.ndcg_score", "scikit-learn, API reference",
    "https://scikit-learn.org/1.9/modules/generated/sklearn.metrics.ndcg_score.html")
XGBOOST = Source("XGBoost", "XGBoost Parameters: Learning Task Parameters", "XGBoost documentation",
    "https://xgboost.readthedocs.io/en/release_3.2.0/parameter.html#learning-task-parameters")
XGBOOST_CODE = Source("dmlc/xgboost", "XGBoost", "source code of XGBoost", "https://github.com/dmlc/xgboost")
FLAML = Source("FLAML", "flaml.automl.ml", "FLAML, flaml/automl/ml.py at commit 00a6bd3",
    "https://github.com/microsoft/FLAML/blob/00a6bd389dbad05265e9d4692b2bf2492af5bcc0/flaml/automl/ml.py")
LIGHTGBM = Source("LightGBM", "Parameters: Metric Parameters", "LightGBM documentation",
    "https://lightgbm.readthedocs.io/en/v4.7.0/Parameters.html#metric-parameters")
CATBOOST = Source("CatBoost", "NDCG", "CatBoost documentation", "https://catboost.ai/docs/en/references/ndcg")
CATBOOST_PFOUND = Source("CatBoost, PFound", "PFound", "CatBoost documentation",
    "https://catboost.ai/docs/en/references/pfound")
CATBOOST_RANKING = Source("CatBoost, ranking", "Ranking: objectives and metrics", "CatBoost documentation",
    "https://catboost.ai/docs/en/concepts/loss-functions-ranking")
TREC_EVAL_9 = Source("trec_eval 9", "trec_eval, version 9.0.8 and before",
    "National Institute of Standards and Technology", "https://github.com/usnistgov/trec_eval/tree/v9.0.8")
ELASTICSEARCH = Source("Elasticsearch", "Ranking evaluation API", "Elasticsearch documentation",
    "https://www.elastic.co/guide/en/elasticsearch/reference/8.19/search-rank-eval.html")
NGCF = Source("Wang et al. 2019", "Neural Graph Collaborative Filtering",
    "42nd International ACM SIGIR Conference on Research and Development in Information Retrieval, 165–174",
    "https://doi.org/10.1145/3331184.3331267",
    "Wang, Xiang and He, Xiangnan and Wang, Meng and Feng, Fuli and Chua, Tat-Seng")
# fmt: on
