import os
os.makedirs("notes", exist_ok=True)
for i in range(120):
    with open(f"notes/n{i:03d}.md", "w") as f:
        f.write((f"# Note about topic {i}\n" if i % 20 else "\n") + "lorem ipsum dolor sit amet, consectetur\n" * 2000)
