"""What the rows of a campaign show: profiles, wins, significance, gaps and times by size."""

from advisor.campaigns.findings.result import findings

__all__ = ["findings"]
