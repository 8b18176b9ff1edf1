"""Mean height of high water for each port of a tide table."""

import csv
from collections import defaultdict


def mean_heights(path):
    heights = defaultdict(list)
    with open(path, newline="", encoding="utf-8") as table:
        for row in csv.DictReader(table):
            heights[row["port"]].append(float(row["height (m)"]))
    return {port: sum(values) / len(values) for port, values in heights.items()}
