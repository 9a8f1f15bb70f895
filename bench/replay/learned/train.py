"""Makes model.json of the rows of rows.mjs: a small ensemble of trees for each use (a name, a line, a word of an answer).

Usage: python3 bench/replay/learned/train.py rows.f32 bench/replay/learned/model.json (needs numpy and scikit-learn; the bench does not)
"""
import json
import sys

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

FEATURES = 19
HEAVIEST = 5

rows = np.fromfile(sys.argv[1], dtype=np.float32).reshape(-1, FEATURES + 2)
inputs, uses, weights = rows[:, :FEATURES], rows[:, FEATURES].astype(int), np.minimum(rows[:, FEATURES + 1], HEAVIEST)


def node_of(node):
    leaf = round(float(node["value"]), 4) if node["is_leaf"] else None
    return [int(node["feature_idx"]), round(float(node["num_threshold"]), 4), int(node["left"]), int(node["right"]), leaf]


made = {}
for name, bit in (("name", 1), ("line", 2), ("answer", 4)):
    trained = HistGradientBoostingClassifier(
        max_iter=80, max_leaf_nodes=12, learning_rate=0.1, l2_regularization=10, min_samples_leaf=400
    ).fit(inputs, (uses & bit) > 0, sample_weight=weights)
    trees = [[node_of(node) for node in iteration[0].nodes] for iteration in trained._predictors]
    made[name] = {"base": float(np.ravel(trained._baseline_prediction)[0]), "trees": trees}
with open(sys.argv[2], "w") as file:
    json.dump(made, file)
