"""The judge: a model's opinion of text answers, asked apart, held beside the scorer's verdicts.

It is optional and enters no headline. What is asked and how an opinion is read stand here; the
calls are made by `runs.judging` and recorded in a log of their own, `judge.db`.
"""
