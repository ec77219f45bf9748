# Notes each step.
for step in 1 2 3; do echo "step $step" > state; done
echo "3 steps"
