"""Which task goes to which machine: workload, plan, costs, timeline, bounds and prediction."""
