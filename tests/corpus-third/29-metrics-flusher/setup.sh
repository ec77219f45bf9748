: > metrics.log
