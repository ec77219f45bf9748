printf '# Title\n' > notes.md
