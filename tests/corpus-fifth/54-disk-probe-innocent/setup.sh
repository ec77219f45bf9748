mkdir -p targets/a targets/b targets/c
