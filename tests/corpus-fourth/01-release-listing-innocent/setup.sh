mkdir release
for a in amd64 arm64 riscv64; do for v in 1.0 1.1 1.2 1.3 1.4 1.5 1.6; do
  seq 1 300 > release/tool-$v-$a.tar.gz
  sha256sum release/tool-$v-$a.tar.gz | cut -d' ' -f1 > release/tool-$v-$a.sha256
done; done
touch -d '2024-05-01 10:00:00 UTC' release/*.gz
