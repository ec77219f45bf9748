# calls: newfstatat(**/packed-refs)
# patch: stat
# git looks at packed-refs again for each ref that it reads, to see whether what it read of it still holds (R15 of an
# audit). The refs are in that file alone, and nobody changes it.
cd repository && exec git rev-parse $(seq -f v%.0f 1 2000)
