# Notes each step, and says so where that fails.
for step in 1 2 3; do echo "step $step" > state || echo "step $step is not noted" >&2; done
echo "3 steps"
