"""The report: one self-contained HTML file about one run, from its folder alone."""

from runs.report.page import write_report

__all__ = ["write_report"]
