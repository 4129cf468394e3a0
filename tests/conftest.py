"""What holds for every test."""

from hypothesis import settings

# A slow machine is no failure: nothing here asserts on time.
settings.register_profile("memtrial", deadline=None)
settings.load_profile("memtrial")
