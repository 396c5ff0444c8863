"""Random tests draw the same cases every time: a failure can be replayed by its name alone."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "replayable",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("replayable")
