"""Money: what the instance-time of a run costs by a table of prices. Without a table nothing is said of money."""

from quota_verifier.cost.costs import Amounts, Costs, ShareCosts, costs_of, held_time, lost_time, priced
from quota_verifier.cost.prices import Prices, PricesFile, prices_from, read_prices

__all__ = [
    "Amounts",
    "Costs",
    "Prices",
    "PricesFile",
    "ShareCosts",
    "costs_of",
    "held_time",
    "lost_time",
    "priced",
    "prices_from",
    "read_prices",
]
