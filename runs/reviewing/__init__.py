"""Reviews: a sheet per task for a person's verdict, and the verdict kept with the scenario."""
