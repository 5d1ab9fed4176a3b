#!/usr/bin/env python3
"""Writes golden.json: what scipy and statsmodels say of the cases that statistics_golden_test.cpp
compares with mapping/statistics. In a virtual environment:

    pip install scipy==1.17.1 statsmodels==0.15.0 && python make_golden.py
"""
import json
import pathlib

import numpy as np
from scipy import stats
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint
from statsmodels.stats.weightstats import CompareMeans, DescrStatsW

Z = stats.norm.ppf(0.975)


def plain(values):
    """Numbers as JSON has them."""
    return [float(value) for value in values]


def proportions():
    cases = [(0, 1), (1, 1), (0, 10), (10, 10), (1, 2), (3, 10), (312, 1040), (1, 10**7),
             (0, 10**7), (10**7, 10**7), (10**7 - 1, 10**7), (4_123_456, 10**7), (7, 5000)]
    return [{"part": part, "whole": whole,
             "interval": plain(proportion_confint(part, whole, alpha=0.05, method="wilson"))}
            for part, whole in cases]


def proportion_differences():
    cases = [(56, 70, 48, 80), (9, 10, 3, 10), (6, 7, 2, 7), (5, 56, 0, 29), (0, 10, 0, 20),
             (0, 10, 0, 10), (10, 10, 0, 20), (10, 10, 0, 10), (1, 1, 0, 1), (312, 1040, 280, 1000),
             (4_123_456, 10**7, 4_120_001, 10**7), (1, 10**7, 0, 10**7)]
    found = []
    for part, whole, part_before, whole_before in cases:
        interval = confint_proportions_2indep(part, whole, part_before, whole_before,
                                              method="newcomb", compare="diff", alpha=0.05)
        found.append({"now": [part, whole], "before": [part_before, whole_before],
                      "value": part / whole - part_before / whole_before,
                      "interval": plain(interval)})
    return found


def trinomial(counts):
    """Mean and variance of -1, 0 and +1, with three answers more."""
    promoters, passives, detractors = counts
    answers = DescrStatsW(np.array([1.0, 0.0, -1.0]), ddof=0,
                          weights=np.array([promoters + 0.75, passives + 1.5, detractors + 0.75]))
    return float(answers.mean), float(answers.var / answers.sum_weights)


def score_of(counts):
    return 100 * (counts[0] - counts[2]) / sum(counts)


SCORES = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (10, 0, 0), (0, 10, 0), (0, 0, 10), (5, 0, 5), (1, 1, 1),
          (180, 81, 51), (40, 35, 25), (10**7, 0, 0), (5_000_000, 3_000_000, 2_000_000), (1, 0, 10**7)]


def net_promoter_scores():
    found = []
    for counts in SCORES:
        mean, variance = trinomial(counts)
        low, high = stats.norm.interval(0.95, loc=mean, scale=np.sqrt(variance))
        score = score_of(counts)
        found.append({"counts": counts, "value": score,
                      "interval": plain([min(score, max(-100, 100 * low)),
                                         max(score, min(100, 100 * high))])})
    return found


def net_promoter_differences():
    found = []
    for now in SCORES:
        for before in SCORES:
            (a, of_a), (b, of_b) = trinomial(now), trinomial(before)
            low, high = stats.norm.interval(0.95, loc=a - b, scale=np.sqrt(of_a + of_b))
            moved = score_of(now) - score_of(before)
            found.append({"now": now, "before": before, "value": moved,
                          "interval": plain([min(moved, 100 * low), max(moved, 100 * high)])})
    return found


MEANS = [{0: 1, 10: 1}, {1: 3, 2: 4, 3: 10, 4: 22, 5: 31}, {4: 29, 5: 1}, {1: 1, 5: 1, 3: 1},
         {0: 5_000_000, 10: 5_000_000}, {7: 9_999_999, 8: 1}, {-5: 3, 0: 2, 5: 9}]


def described(answers):
    return DescrStatsW(np.array(list(answers.keys()), dtype=float),
                       weights=np.array(list(answers.values()), dtype=float), ddof=1)


def by_text(answers):
    return {str(value): number for value, number in answers.items()}


def means():
    found = []
    for answers in MEANS:
        described_answers = described(answers)
        number, mean = sum(answers.values()), described_answers.mean
        error = np.sqrt(described_answers.var / number)
        found.append({"answers": by_text(answers), "value": float(mean),
                      "variance": float(described_answers.var),
                      "interval": plain(stats.t.interval(0.95, number - 1, mean, error))})
    return found


def mean_differences():
    found = []
    cases = MEANS + [{4: 30}]  # the last does not scatter
    for now in cases:
        for before in cases:
            if len(now) + len(before) == 2:
                continue
            both = CompareMeans(described(now), described(before))
            found.append({"now": by_text(now), "before": by_text(before),
                          "value": float(both.d1.mean - both.d2.mean),
                          "interval": plain(both.tconfint_diff(alpha=0.05, usevar="unequal"))})
    return found


def quantiles():
    return [{"freedom": freedom, "value": float(stats.t.ppf(0.975, freedom))}
            for freedom in (1, 2, 3.5, 9, 29, 100.25, 1000, 10**7)]


golden = {"proportions": proportions(), "proportion_differences": proportion_differences(),
          "net_promoter_scores": net_promoter_scores(),
          "net_promoter_differences": net_promoter_differences(),
          "means": means(), "mean_differences": mean_differences(), "t_quantiles": quantiles(),
          "normal_quantile": float(Z)}
path = pathlib.Path(__file__).with_name("golden.json")
lines = ",\n".join(f' {json.dumps(name)}: ' + json.dumps(cases).replace("}, {", "},\n  {")
                   for name, cases in golden.items())
path.write_text("{\n" + lines + "\n}\n", encoding="utf-8")
