with open("index.tsv", "w") as f:
    for i in range(500):
        f.write(f"news/2026/{['politics', 'sport', 'arts', 'science', 'local'][i % 5]}\tarticle-{i}\tTitle <{i}>\n")
