"""Fits the weights of src/text/worth.rs to rows (rows.rs), and compares forms. What it prints is pasted into WEIGHTS by hand.

  python3 bench/weights/learn.py [--fit] [--forms] [--rows rows.bin --sessions sessions.jsonl [--keep]]

Without --rows it reads rows.bin.gz and kinds.json beside it: a sample of 1,500 rows a session, numbers only. Needs numpy; --forms needs
scikit-learn. A figure is the mean, over kinds of agent, of two things within each session: how often a needed chunk is ranked above another
one (AUC), and which share of the needed chunks stands in the best tenth.
"""
import gzip, json, sys
from pathlib import Path
import numpy as np

HERE = Path(__file__).parent
NAMES = ['used', 'used part', 'asked', 'head used', 'own words', 'figures', 'length', 'depth', 'place', 'size', 'age', 'call', 'stale', 'says', 'units', 'sentence']
# As in src/text/worth.rs. `stale` is set by hand: what a later call has made obsolete must not come back.
WEIGHTS = [7, -3, 2, 1, 9, 1, -4, -5, -1, -8, -3, -6, -30, 2, 7, 7]
ROW = np.dtype([('session', '<u2'), ('needed', 'u1'), ('weight', '<f4'), ('features', 'u1', (len(NAMES),))])
SAMPLE = 1500


def load():
    if '--rows' in sys.argv:
        rows = np.fromfile(sys.argv[sys.argv.index('--rows') + 1], dtype=ROW)
        kinds = [json.loads(line)['kind'] for line in open(sys.argv[sys.argv.index('--sessions') + 1])]
        random = np.random.default_rng(1)
        kept = []
        for session in np.unique(rows['session']):
            own = np.where(rows['session'] == session)[0]
            kept.extend(own if len(own) <= SAMPLE else np.sort(random.choice(own, SAMPLE, replace=False)))
        rows = rows[np.array(kept)]
        if '--keep' in sys.argv:
            (HERE / 'rows.bin.gz').write_bytes(gzip.compress(rows.tobytes(), 9, mtime=0))
            (HERE / 'kinds.json').write_text(json.dumps(kinds) + '\n')
        return rows, kinds
    return np.frombuffer(gzip.decompress((HERE / 'rows.bin.gz').read_bytes()), dtype=ROW), json.loads((HERE / 'kinds.json').read_text())


rows, kinds = load()
groups = []
for session in np.unique(rows['session']):
    own = rows[rows['session'] == session]
    if 0 < own['needed'].sum() < len(own):
        groups.append((kinds[session], own['features'].astype(int), own['needed'].astype(int)))


def quality(score, needed):
    _, place, count = np.unique(score, return_inverse=True, return_counts=True)
    rank = (np.cumsum(count) - (count - 1) / 2)[place]
    ones, zeros = needed.sum(), len(needed) - needed.sum()
    auc = (rank[needed == 1].sum() - ones * (ones + 1) / 2) / (ones * zeros)
    best = np.argsort(-score, kind='stable')[: max(1, len(needed) // 10)]
    return 50 * (auc + needed[best].sum() / min(len(best), ones))


def by_kind(score_of, only=lambda kind: True):
    table = {}
    for kind, features, needed in groups:
        if only(kind):
            table.setdefault(kind, []).append(quality(score_of(features), needed))
    return {kind: np.mean(values) for kind, values in table.items()}


def mean(table):
    # Most users' agents are of many kinds; recordings of coding agents count as three of them.
    return (sum(table.values()) + 2 * table.get('coding', 0)) / (len(table) + (2 if 'coding' in table else 0))


def climb(weights, only=lambda kind: True, rounds=4):
    weights, best = np.array(weights), mean(by_kind(lambda features: features @ np.array(weights), only))
    for _ in range(rounds):
        before = best
        for at in (at for at, name in enumerate(NAMES) if name != 'stale'):
            for change in (-4, -2, -1, 1, 2, 4):
                trial = weights.copy()
                trial[at] += change
                value = mean(by_kind(lambda features: features @ trial, only))
                if value > best + 0.02:
                    best, weights = value, trial
        if best - before < 0.1:
            break
    return weights


table = by_kind(lambda features: features @ np.array(WEIGHTS))
print(f'{len(rows)} rows of {len(groups)} sessions; the weights of today: {mean(table):.1f}')
print('  ' + ', '.join(f'{kind} {value:.0f}' for kind, value in sorted(table.items())))
for at, name in enumerate(NAMES):
    without = np.array(WEIGHTS)
    without[at] = 0
    print(f'  without {name:10} {mean(by_kind(lambda features: features @ without)) - mean(table):+.1f}')
if '--fit' in sys.argv:
    fitted = climb(WEIGHTS)
    print('fitted', dict(zip(NAMES, fitted.tolist())), f'{mean(by_kind(lambda features: features @ fitted)):.1f}')
if '--forms' in sys.argv:
    # Each kind is judged by what was learnt from the others.
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.linear_model import LogisticRegression

    def learnt(model, others, shape=lambda features: features):
        features = np.concatenate([features for kind, features, _ in groups if kind != others])
        needed = np.concatenate([needed for kind, _, needed in groups if kind != others])
        each = np.concatenate([np.full(len(needed), 1 / len(needed)) for kind, _, needed in groups if kind != others])
        model.fit(shape(features), needed, sample_weight=each / each.mean())
        return lambda features: model.decision_function(shape(features))

    def points(features):
        return np.eye(16, dtype=np.float32)[features.clip(0, 15)].reshape(len(features), -1)

    totals = {}
    for kind in sorted(set(kind for kind, *_ in groups)):
        forms = {
            'of today': lambda features: features @ np.array(WEIGHTS),
            'climbed': (lambda weights: lambda features: features @ weights)(climb(WEIGHTS, lambda other: other != kind, 1)),
            'linear': learnt(LogisticRegression(max_iter=500), kind),
            'points': learnt(LogisticRegression(max_iter=500), kind, points),
            'trees': learnt(HistGradientBoostingClassifier(max_iter=80, max_leaf_nodes=16), kind),
        }
        values = {name: by_kind(form, lambda other: other == kind)[kind] for name, form in forms.items()}
        for name, value in values.items():
            totals.setdefault(name, []).append(value)
        print(f'  {kind:18}', '  '.join(f'{name} {value:.0f}' for name, value in values.items()), flush=True)
    print('  mean              ', '  '.join(f'{name} {np.mean(values):.0f}' for name, values in totals.items()))
